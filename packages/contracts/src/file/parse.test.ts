import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatProblems } from './fault.js';
import { parseContracts } from './parse.js';

const example = readFileSync(new URL('../testdata/wire-example.yaml', import.meta.url), 'utf8');

function problemsOf(text: string, name = 'c.yaml'): string[] {
  const result = parseContracts(text, name);
  return result.ok ? [] : formatProblems(result.problems).split('\n');
}

const route = (body: string, agents = '') => `version: 1\n${agents}routes:\n  r:\n    from: a\n    to: b\n${body}`;

describe('a faulty file', () => {
  test('says every problem at once, with line and column', () => {
    const text = example
      .replace('"2": { required', '"2": { requird')
      .replace('on_violation: ask', 'on_violation: aks')
      .replace('gate: required', 'gates: required')
      .replace('hop_limit: 6', 'hop_limit: 0')
      .replace('deadline_s: 600', 'deadline_s: 10 minutes')
      .replace('packaging_loss:', 'packing_loss:')
      .replace('current: "2"', 'current: "3"');
    expect(problemsOf(text, 'team/contracts.yaml')).toEqual([
      'team/contracts.yaml:10:5: "current" of route "triage_to_billing" is "3", which is not declared; did you mean "1"?',
      'team/contracts.yaml:13:14: unknown key "requird" in version "2" of route "triage_to_billing"; did you mean "required"?',
      'team/contracts.yaml:16:5: "on_violation" of route "triage_to_billing" must be one of ask, human, fail; found the text "aks"; did you mean "ask"?',
      'team/contracts.yaml:17:5: unknown key "gates" in route "triage_to_billing"; did you mean "gate"?',
      'team/contracts.yaml:19:5: "hop_limit" of route "triage_to_billing" must be a whole number, 1 or more; found the number 0',
      'team/contracts.yaml:20:5: "deadline_s" of route "triage_to_billing" must be a number of seconds above 0; found the text "10 minutes"',
      'team/contracts.yaml:22:15: "packing_loss" in "owners" of route "triage_to_billing" is not a verdict; did you mean "packaging_loss"?',
    ]);
  });

  test('points at the place as a JSON pointer too', () => {
    const result = parseContracts('version: 1\nroutes:\n  a/b~c: { from: x, to: y, required: [1] }\n', 'c.yaml');
    expect(result).toMatchObject({
      ok: false,
      problems: [{ line: 3, column: 39, path: '/routes/a~1b~0c/required/0' }],
    });
  });

  const cases: [string, string, string | RegExp][] = [
    ['an empty file', '', 'c.yaml:1:1: the file is empty; it needs at least "version: 1" and "routes:"'],
    ['blank text', ' \n\n', /the file is empty/],
    ['only comments', '# nothing\n', /must be a mapping; found nothing/],
    ['no mapping', '- a\n', 'c.yaml:1:1: the document must be a mapping; found a list'],
    ['a sentence', 'hello\n', /must be a mapping; found the text "hello"/],
    ['binary data', 'PK\u0003\u0004\u0000', 'c.yaml:1:3: not a text file: it holds the control character U+0003'],
    ['broken YAML', 'version: 1\nroutes: [\n', /^c\.yaml:\d+:\d+: not valid YAML: /],
    ['a tag', 'version: !!js/function 1\n', /not valid YAML: Unresolved tag/],
    [
      'two documents',
      `${route('    required: []\n')}---\na: 1\n`,
      /not valid YAML: Source contains multiple documents/,
    ],
    [
      'no format',
      route('    required: []\n').slice(11),
      'c.yaml:1:1: "version" is missing; begin the file with "version: 1"',
    ],
    [
      'a later format',
      route('    required: []\n').replace('version: 1', 'version: 2'),
      'c.yaml:1:1: "version" must be 1, the format that this release reads; found the number 2',
    ],
    ['no routes', 'version: 1\n', 'c.yaml:1:1: "routes" is missing; a contract file declares its routes there'],
    ['misspelt routes', 'version: 1\nroute: {}\n', 'c.yaml:2:1: unknown key "route"; did you mean "routes"?'],
    ['routes that are nothing', 'version: 1\nroutes:\n', 'c.yaml:2:1: "routes" must be a mapping; found nothing'],
    [
      'a key twice',
      route('    required: []\n    to: c\n'),
      'c.yaml:7:5: the key "to" stands here a second time; remove one of them',
    ],
    ['a key that is no text', 'version: 1\nroutes: {}\n? [a]\n: 1\n', /a key must be plain text/],
    [
      'no contract',
      route('    purpose: x\n'),
      'c.yaml:3:3: route "r" has no contract; write "required" with its keys, or "versions"',
    ],
    ['permitted without required', route('    permitted: [x]\n'), /"required" is missing in route "r"/],
    ['no versions', route('    versions: {}\n'), /"versions" of route "r" declares no version/],
    [
      'both forms',
      route('    versions: { 1: { required: [] } }\n    permitted: []\n'),
      'c.yaml:7:5: route "r" has both "versions" and "permitted"; move the lists into a version',
    ],
    [
      'no target',
      'version: 1\nroutes: { r: { from: a, required: [] } }\n',
      'c.yaml:2:11: "to" is missing in route "r"; name the agent it leads to',
    ],
    [
      'a reserved name',
      'version: 1\nroutes: { _other: { from: a, to: b, required: [] } }\n',
      /has a name that metrics use/,
    ],
    [
      'a name with a line break',
      'version: 1\nroutes: { "a\\nb": { from: a, to: b, required: [] } }\n',
      /must be 1 to 128 characters of text on one line/,
    ],
    [
      'an empty agent name',
      route('    required: []\n').replace('from: a', 'from: ""'),
      /"from" of route "r" must be 1 to 128 characters/,
    ],
    [
      'a list that is a text',
      route('    required: customer_id\n'),
      'c.yaml:6:5: "required" of route "r" must be a list; found the text "customer_id"',
    ],
    [
      'a key that is a number',
      route('    required: [1]\n'),
      'c.yaml:6:16: "required" of route "r" must be a key, which is text; found the number 1',
    ],
    [
      'a bad character',
      route('    required: [customer id]\n'),
      /"customer id" in "required" of route "r" is not a key: a key begins with/,
    ],
    [
      'a bad path',
      route('    required: ["a[0].b"]\n'),
      /"a\[0\]\.b" in "required" of route "r" is not a key: "\[" must be followed by "\]"/,
    ],
    [
      'a key listed twice',
      route('    required: [x, x]\n'),
      'c.yaml:6:19: "x" stands twice in "required" of route "r"; remove one',
    ],
    [
      'required outside permitted',
      route('    required: [x]\n    permitted: [y]\n'),
      'c.yaml:6:16: "x" is required and not permitted in route "r", so the builder would drop it; permit it, or stop requiring it',
    ],
    [
      'nullable of nothing',
      route('    required: [xyz]\n    nullable: [xyy]\n'),
      'c.yaml:7:16: "xyy" is nullable and neither required nor permitted in route "r"; did you mean "xyz"?',
    ],
    [
      'integrity of nothing',
      route('    required: [x]\n    integrity: [foo]\n'),
      /"foo" is integrity and neither required nor permitted/,
    ],
    [
      'a word for true',
      route('    required: []\n    read_back: yes\n'),
      /"read_back" of route "r" must be true or false; found the text "yes"/,
    ],
    ['an infinite deadline', route('    required: []\n    deadline_s: .inf\n'), /must be a number of seconds above 0/],
    [
      'half a hop',
      route('    required: []\n    hop_limit: 1.5\n'),
      /must be a whole number, 1 or more; found the number 1.5/,
    ],
    [
      'an unknown side',
      route('    required: []\n    enforce: { both: warn }\n'),
      /unknown key "both" in "enforce" of route "r"; known here: producer, consumer/,
    ],
    [
      'a list as state_ref',
      route('    required: []\n    state_ref: "a[].id"\n'),
      /must name one member, not every element of a list/,
    ],
    [
      'an owner of no verdict',
      route('    required: []\n    owners: { everything: me }\n'),
      /"everything" in "owners" of route "r" is not a verdict; verdicts are /,
    ],
    [
      'an alias of two agents',
      route('    required: []\n', 'agents: { a: { aliases: [x] }, b: { aliases: [x] } }\n'),
      /the alias "x" of agent "b" is an alias of agent "a" too/,
    ],
    [
      'an alias that is an agent',
      route('    required: []\n', 'agents: { a: { aliases: [b] }, b: }\n'),
      /the alias "b" of agent "a" is the name of another agent/,
    ],
    ['an alias of itself', route('    required: []\n', 'agents: { a: { aliases: [a] } }\n'), /is the agent's own name/],
    [
      'a route to an alias',
      route('    required: []\n', 'agents: { c: { aliases: [b] } }\n'),
      'c.yaml:6:5: "to" of route "r" is "b", an alias of agent "c"; write "c"',
    ],
  ];
  test.each(cases)('%s', (_, text, expected) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    if (typeof expected === 'string') expect(problems[0]).toBe(expected);
    else expect(problems[0]).toMatch(expected);
  });

  const versions = '    versions: { 1: { required: [x, y] }, 2: { required: [x, z] } }\n';
  const migrations: [string, string, string | RegExp][] = [
    [
      'undeclared',
      '{ from: 1, to: 3, rename: { y: z } }',
      /"to" of migration 1 of route "r" is "3", which is not declared/,
    ],
    ['to itself', '{ from: 1, to: 1 }', /leads from a version to itself/],
    [
      'that lacks a key',
      '{ from: 1, to: 2, drop: [y] }',
      /migration 1 of route "r" does not lead to version "2": it does not give z \(rename or add\)$/,
    ],
    [
      'that gives too much',
      '{ from: 1, to: 2, add: [z] }',
      /does not lead to version "2": it gives y, not required there \(drop\)$/,
    ],
    ['of an unknown key', '{ from: 1, to: 2, rename: { y: z, w: v } }', /renames "w", which its version does not list/],
    [
      'twice',
      '{ from: 1, to: 2, rename: { y: z } }, { from: 1, to: 2, rename: { y: z } }',
      /migration 2 of route "r" repeats one/,
    ],
    ['without an end', '{ from: 1, rename: { y: z } }', /"to" is missing in migration 1 of route "r"/],
    ['into a list', '{ from: 1, to: 2, rename: { y: "z[].q" } }', /lie in different lists/],
  ];
  test.each(migrations)('a migration %s', (_, migration, expected) => {
    const problems = problemsOf(route(`${versions}    migrations: [${migration}]\n`));
    expect(
      problems.some((problem) => (typeof expected === 'string' ? problem === expected : expected.test(problem))),
    ).toBe(true);
  });

  test('right migrations are none', () => {
    expect(
      problemsOf(
        route(
          `${versions}    migrations: [{ from: 1, to: 2, rename: { y: z } }, { from: 2, to: 1, drop: [z], add: [y] }]\n`,
        ),
      ),
    ).toEqual([]);
  });

  test('a required key within a permitted container is permitted', () => {
    expect(problemsOf(route('    required: [order.id]\n    permitted: [order]\n'))).toEqual([]);
    expect(problemsOf(route('    required: [order]\n    permitted: [order.id]\n'))).toHaveLength(1);
  });

  test('JSON that only YAML would take', () => {
    expect(problemsOf('{"version": 1,\n "routes": {},}', 'c.json')).toEqual([
      expect.stringMatching(/^c\.json:2:15: not valid JSON: /),
    ]);
    expect(problemsOf('version: 1', 'c.json')).toEqual([expect.stringMatching(/^c\.json:1:1: not valid JSON: /)]);
  });
});
