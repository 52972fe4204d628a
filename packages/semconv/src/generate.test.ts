import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const script = path.join(root, 'packages/semconv/scripts/generate.mjs');
const inputs = ['packages/semconv/registry', 'packages/semconv/upstream'];
const outputs = [
  'packages/semconv/src/index.ts',
  'packages/semconv/src/generated/attributes.ts',
  'packages/semconv/src/generated/enums.ts',
  'packages/semconv/src/generated/metrics.ts',
  'packages/semconv/src/generated/stages.ts',
  'packages/semconv/src/generated/types.ts',
  'docs/reference/attributes.md',
  'docs/reference/metrics.md',
];

let copy: string;

function generate(...args: string[]) {
  const done = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}

function edit(file: string, change: (text: string) => string) {
  const target = path.join(copy, file);
  const before = readFileSync(target, 'utf8');
  const after = change(before);
  expect(after, `the edit of ${file} must change something`).not.toBe(before);
  writeFileSync(target, after);
}

const stale = (stderr: string) => outputs.filter((file) => stderr.includes(`${file} differs`));

beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'seamtrace-semconv-'));
  for (const file of [...inputs, ...outputs]) cpSync(path.join(root, file), path.join(copy, file), { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

describe('generate --check', () => {
  it('passes on what is committed', () => {
    expect(generate('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(generate('--check', '--root', copy).status).toBe(0);
  });

  it('names every file that a changed registry makes stale, and writes nothing', () => {
    edit('packages/semconv/registry/verdict.yaml', (text) =>
      text.replace('value: packaging_loss', 'value: packing_loss'),
    );
    const before = outputs.map((file) => readFileSync(path.join(copy, file), 'utf8'));
    const { status, stderr } = generate('--check', '--root', copy);
    expect(status).toBe(1);
    expect(stale(stderr)).toEqual([
      'packages/semconv/src/generated/enums.ts',
      'docs/reference/attributes.md',
      'docs/reference/metrics.md',
    ]);
    expect(outputs.map((file) => readFileSync(path.join(copy, file), 'utf8'))).toEqual(before);
  });

  it.each(outputs)('names %s alone when only that file was edited or deleted', (file) => {
    edit(file, (text) => `${text}\n`);
    expect(stale(generate('--check', '--root', copy).stderr)).toEqual([file]);
    rmSync(path.join(copy, file));
    const { status, stderr } = generate('--check', '--root', copy);
    expect(status).toBe(1);
    expect(stale(stderr)).toEqual([file]);
  });

  it('passes again once generate has run', () => {
    edit('packages/semconv/registry/metrics.yaml', (text) => text.replace(/brief: .*/, 'brief: Something else.'));
    expect(generate('--check', '--root', copy).status).toBe(1);
    expect(generate('--root', copy).status).toBe(0);
    expect(generate('--check', '--root', copy).status).toBe(0);
  });
});

describe('generate on a registry that is not valid', () => {
  const invalid = () => {
    const before = outputs.map((file) => readFileSync(path.join(copy, file), 'utf8'));
    const { status, stderr } = generate('--root', copy);
    expect(status).toBe(2);
    expect(outputs.map((file) => readFileSync(path.join(copy, file), 'utf8'))).toEqual(before);
    return stderr.trim().split('\n');
  };

  it('names all problems of shape with file and line', () => {
    writeFileSync(
      path.join(copy, 'packages/semconv/registry/contract.yaml'),
      [
        'file_format: definition/2',
        'attributes:',
        '  - key: seamtrace.contract.version',
        '    type: text',
        '    stability: development',
        '    brief: A version.',
        '  - key: Seamtrace.Contract',
        '    type: string',
        '    stability: soon',
        '    brief: " "',
        '    colour: red',
        'spanss: []',
      ].join('\n'),
    );
    const file = 'packages/semconv/registry/contract.yaml';
    const problems = invalid();
    expect(problems).toContain(
      `${file}:4: \`type\` of attribute must be a type of the definition syntax, or a map with a list of \`members\``,
    );
    expect(problems.filter((line) => line.startsWith(`${file}:`)).map((line) => Number(line.split(':')[1]))).toEqual([
      4, 7, 9, 10, 11, 12,
    ]);
  });

  it('names references that resolve to nothing and names that are taken', () => {
    edit('packages/semconv/registry/signals.yaml', (text) =>
      text
        .replace('ref: seamtrace.capture.by', 'ref: seamtrace.capture.buy')
        .replace('ref: gen_ai.invoke_agent.internal', 'ref: gen_ai.invoke'),
    );
    edit('packages/semconv/registry/handoff.yaml', (text) =>
      text.replace('key: seamtrace.task.owner', 'key: seamtrace.task.id'),
    );
    const problems = invalid().join('\n');
    expect(problems).toMatch(/signals\.yaml:\d+: no attribute `seamtrace\.capture\.buy`/);
    expect(problems).toMatch(/signals\.yaml:\d+: no span `gen_ai\.invoke` to refine/);
    expect(problems).toMatch(
      /handoff\.yaml:\d+: attribute seamtrace\.task\.id is defined twice, first at .*handoff\.yaml:\d+/,
    );
    expect(problems).toMatch(/signals\.yaml:\d+: no attribute `seamtrace\.task\.owner`/);
  });

  it('keeps the enums equal that share one constant', () => {
    edit('packages/semconv/registry/stages.yaml', (text) => {
      const at = text.indexOf('seamtrace.payload.incomplete_reason');
      return text.slice(0, at) + text.slice(at).replace('value: sampled', 'value: dropped');
    });
    expect(invalid()[0]).toMatch(
      /stages\.yaml:\d+: values \(.*dropped.*\) differ from those of `seamtrace\.source\.incomplete_reason`/,
    );
  });

  it('refuses a Prometheus name that does not follow from name, unit and instrument', () => {
    edit('packages/semconv/registry/metrics.yaml', (text) =>
      text.replace('seamtrace_handoff_latency_seconds', 'seamtrace_handoff_latency_ms'),
    );
    expect(invalid()[0]).toMatch(
      /metrics\.yaml:\d+: Prometheus name `seamtrace_handoff_latency_ms` .*`seamtrace_handoff_latency_seconds`/,
    );
  });

  it('names a syntax error by its line', () => {
    edit('packages/semconv/registry/contract.yaml', (text) =>
      text.replace('    type: string\n', '    type: string: int\n'),
    );
    expect(invalid()[0]).toMatch(/contract\.yaml:4: /);
  });
});

it('says how it is used when a flag is unknown', () => {
  const { status, stderr } = generate('--chek');
  expect(status).toBe(2);
  expect(stderr).toContain('usage: generate.mjs [--check] [--root DIR]');
});
