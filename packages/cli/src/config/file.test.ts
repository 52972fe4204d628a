import { describe, expect, it } from 'vitest';
import { readConfigFile } from './file.js';

describe('readConfigFile', () => {
  it('reads settings with the place where each stands', () => {
    const { values, problems } = readConfigFile('settle_s: 2\ngate:\n  undecided: warn\n', 'c.yaml');
    expect(problems).toEqual([]);
    expect([...values]).toEqual([
      ['settleSeconds', { where: 'c.yaml:1:1', value: 2 }],
      ['gateUndecided', { where: 'c.yaml:3:3', value: 'warn' }],
    ]);
  });

  it.each(['', '# only a comment\n', '{}'])('finds nothing to configure in %j', (text) => {
    expect(readConfigFile(text, 'c.yaml')).toEqual({ values: new Map(), problems: [] });
  });

  it('names every unknown key, with its place and the known ones', () => {
    const { problems } = readConfigFile('setle_s: 2\ngate:\n  undecide: warn\n  undecided: warn\n', 'c.yaml');
    expect(problems.map(({ where }) => where)).toEqual(['c.yaml:1:1', 'c.yaml:3:3']);
    expect(problems[0]?.message).toMatch(/^unknown setting setle_s; known are otlp_http, .*gate\.undecided$/);
    expect(problems[1]?.message).toMatch(/^unknown setting gate\.undecide;/);
  });

  it.each([
    ['a list', '- settle_s', 'c.yaml:1:1', 'the file must be a mapping of settings'],
    ['a group that is no mapping', 'gate: warn', 'c.yaml:1:7', 'gate must be a mapping of settings'],
    ['a key that stands twice', 'settle_s: 1\nsettle_s: 2', 'c.yaml:2:1', 'Map keys must be unique'],
  ])('refuses %s', (_, text, where, message) => {
    expect(readConfigFile(text, 'c.yaml').problems).toEqual([{ where, message }]);
  });

  it('names the line of broken YAML', () => {
    const { problems } = readConfigFile('settle_s: 1\nadmin: [unclosed\n', 'c.yaml');
    expect(problems[0]?.where).toMatch(/^c\.yaml:[23]:/);
  });
});
