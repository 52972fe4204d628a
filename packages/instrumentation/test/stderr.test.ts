import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChildSettings, inFolder, runScript } from './child.js';

// What an operator reads on stderr without setting anything up. Each test is a process of its own, on the built package.

const BROKEN =
  'version: 1\nroutes:\n  r:\n    from: a\n    to: b\n    required: [x]\n    permitted: [y]\n  s: { from: a }\n';
const follows = 'no contract applies: dispatch sends the whole source, nothing is enforced';

interface Files {
  readonly [name: string]: string;
}

/** Runs a script in a folder that holds these files; returns its lines on stderr. Stdout has to be `done` alone. */
function linesOf(script: string, files: Files = {}, settings: Omit<ChildSettings, 'cwd'> = {}): string[] {
  return inFolder((cwd) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
    const { code, stdout, stderr } = runScript(`${script}\nconsole.log('done');`, { ...settings, cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
    return stderr.split('\n').filter((line) => line !== '');
  });
}

describe('a contract source that was named and cannot be used', () => {
  const dispatch = `const { payload } = handoffs.dispatch({ from: 'a', to: 'b', source: { x: 1, z: 2 } });
    if (payload.z !== 2) throw new Error('not the whole source');`;

  it.each([
    ['an option', `createHandoffs({ contracts: 'broken.yaml' })`, {}, 'broken.yaml'],
    [
      'SEAMTRACE_CONTRACTS',
      'createHandoffs()',
      { SEAMTRACE_CONTRACTS: 'broken.yaml' },
      'SEAMTRACE_CONTRACTS=broken.yaml',
    ],
  ])('says file and line, and what follows, once: %s', (_how, create, env, origin) => {
    const lines = linesOf(`const handoffs = ${create}; ${create}; ${dispatch}`, { 'broken.yaml': BROKEN }, { env });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`seamtrace: ${origin} has 3 problems, first broken.yaml:6:`);
    expect(lines[0]?.endsWith(follows)).toBe(true);
  });

  it('says where it looked for a file that is not there', () => {
    const lines = linesOf(`const handoffs = createHandoffs({ contracts: 'gone.yaml' }); ${dispatch}`);
    expect(lines).toEqual([
      expect.stringMatching(/^seamtrace: gone\.yaml: there is no such file \(\/.*\/gone\.yaml\); /),
    ]);
    expect(lines[0]?.endsWith(follows)).toBe(true);
  });

  it('says problems of contracts that were given as an object or as text', () => {
    const object = linesOf(`createHandoffs({ contracts: { routes: { r: { from: 'a' } } } })`);
    const text = linesOf(`createHandoffs({ contracts: 'version: 1\\nroutes: 5\\n' })`);
    expect(object).toEqual([expect.stringMatching(/^seamtrace: contracts given in code: \d problems?.*\/routes\/r/)]);
    expect(text).toEqual([expect.stringMatching(/^seamtrace: contracts given in code: 1 problem: contracts:2:/)]);
  });

  it('does not say again what register has said', () => {
    const script = `const handoffs = createHandoffs(); ${dispatch}
      require('@seamtrace/instrumentation').createHandoffs();`;
    const settings = { env: { SEAMTRACE_CONTRACTS: 'broken.yaml' }, register: true };
    expect(linesOf(script, { 'broken.yaml': BROKEN }, settings)).toHaveLength(1);
  });

  it('is silent where nothing is named, and where all is well', () => {
    const good = 'version: 1\nroutes:\n  r: { from: a, to: b, required: [x] }\n';
    expect(linesOf('createHandoffs()')).toEqual([]);
    expect(linesOf(`createHandoffs({ contracts: 'good.yaml' })`, { 'good.yaml': good })).toEqual([]);
  });
});
