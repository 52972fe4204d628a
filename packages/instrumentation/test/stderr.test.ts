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

const yaml = (route: string): string =>
  `version: 1\nroutes:\n  a_to_b: { from: a, to: b, version: '1', required: [x, y], ${route} }\n`;
const files = (route: string): Files => ({ 'seamtrace.contracts.yaml': yaml(route) });

describe('warn mode', () => {
  const script = `const handoffs = createHandoffs({ agent: 'b' });
    for (let round = 0; round < 3; round += 1) {
      const handoff = handoffs.dispatch({ from: 'a', to: 'b', source: { x: 1 } });
      handoffs.accept(handoff, () => handoffs.ingested({}));
    }`;
  const both = [
    'seamtrace: a_to_b: required at the source and not there: y',
    'seamtrace: a_to_b: required at the destination and not there: x, y',
  ];

  it.each([
    ['the contract', files('enforce: { producer: warn, consumer: warn }'), {}],
    ['SEAMTRACE_ENFORCE', files(''), { SEAMTRACE_ENFORCE: 'warn' }],
  ])('says each distinct warning once, with and without register: %s', (_how, given, env) => {
    expect(linesOf(script, given, { env })).toEqual(both);
    expect(linesOf(script, given, { env: { ...env, OTEL_LOG_LEVEL: 'warn' }, register: true })).toEqual(both);
  });

  it('is the only mode that says anything', () => {
    expect(linesOf(script, files(''))).toEqual([]);
  });

  it('says 20 of them, and then that more follow', () => {
    const many = `const routes = Object.fromEntries(Array.from({ length: 30 }, (_, at) =>
        ['r' + at, { from: 'a', to: 'b' + at, required: ['x'], enforce: { producer: 'warn' } }]));
      const handoffs = createHandoffs({ contracts: { routes } });
      for (let at = 0; at < 30; at += 1) handoffs.dispatch({ from: 'a', to: 'b' + at, source: {} });`;
    const lines = linesOf(many);
    expect(lines).toHaveLength(21);
    expect(lines[19]).toBe('seamtrace: r19: required at the source and not there: x');
    expect(lines[20]).toMatch(/further ones go to .*diag/);
  });
});

describe('settings', () => {
  it.each([
    [
      { SEAMTRACE_ENFORCE: 'strict' },
      'SEAMTRACE_ENFORCE="strict" is none of observe, warn, enforce; the contract decides',
    ],
    [{ SEAMTRACE_DISABLED: 'yes' }, 'SEAMTRACE_DISABLED="yes" is none of true, 1, false, 0; taken as false'],
  ])('that are none are named once: %o', (env, said) => {
    for (const register of [false, true]) {
      expect(linesOf('createHandoffs(); createHandoffs();', {}, { env, register })).toEqual([`seamtrace: ${said}`]);
    }
  });

  it('that are none are named for options of createHandoffs too, and count as no mode', () => {
    const script = `const handoffs = createHandoffs({ enforce: 'strict' });
      handoffs.dispatch({ from: 'a', to: 'b', source: {} });`;
    expect(linesOf(script, files(''))).toEqual([
      expect.stringMatching(/enforce is "strict", none of observe, warn, enforce/),
    ]);
  });

  it.each(['1', 'TRUE', 'True', 'false', '0', ''])('SEAMTRACE_DISABLED=%s is understood', (value) => {
    const script = `const carrier = {}; const handoffs = createHandoffs();
      handoffs.inject(handoffs.dispatch({ from: 'a', to: 'b', source: {} }), carrier);
      if (('seamtrace-handoff' in carrier) !== ${/^(false|0|)$/.test(value)}) throw new Error(JSON.stringify(carrier));`;
    expect(linesOf(script, {}, { env: { SEAMTRACE_DISABLED: value } })).toEqual([]);
  });
});

describe('digests without a secret', () => {
  it.each(['integrity: [x]', 'state_ref: x'])('are said to be off, once and under register: %s', (route) => {
    const script = 'createHandoffs(); createHandoffs();';
    expect(linesOf(script, files(route), { register: true })).toEqual([
      'seamtrace: SEAMTRACE_SECRET is not set, so digests are off: integrity and state_ref of route a_to_b have no effect',
    ]);
    expect(linesOf(script, files(route))).toEqual([]);
    expect(linesOf(script, files(route), { register: true, env: { SEAMTRACE_SECRET: 's' } })).toEqual([]);
    expect(linesOf(script, files(''), { register: true })).toEqual([]);
  });
});

describe('an OTLP endpoint that is none', () => {
  const script = `createHandoffs().dispatch({ from: 'a', to: 'b', source: {} });`;

  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
      /OTEL_EXPORTER_OTLP_ENDPOINT=localhost:4318 needs http:\/\/ or https:\/\//,
    ],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '127.0.0.1' },
      /OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=127\.0\.0\.1 needs http:\/\/ or https:\/\//,
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://[' }, /OTEL_EXPORTER_OTLP_ENDPOINT=http:\/\/\[ is no URL/],
  ])('is said in one line, and the application runs on: %o', (env, said) => {
    const given = { OTEL_TRACES_EXPORTER: 'otlp', ...env } as Record<string, string>;
    expect(linesOf(script, {}, { register: true, env: given })).toEqual([expect.stringMatching(said)]);
  });
});
