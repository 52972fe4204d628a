import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContracts, parseContracts } from '@seamtrace/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type OtelHarness, startOtel } from '../../test/otel-harness.js';
import { putBounded } from './bounded.js';
import { readConfig } from './config.js';
import { COUNTER_NAMES } from './counters.js';
import { loadContracts } from './load-contracts.js';
import { PACKAGE_NAME, PACKAGE_VERSION } from './version.js';

let otel: OtelHarness;
let folder: string;
beforeEach(() => {
  otel = startOtel();
  folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await otel.stop();
});

const yaml = 'version: 1\nroutes:\n  a_to_b: { from: a, to: b, required: [x] }\n';
const file = (name: string, text: string) => {
  const at = path.join(folder, name);
  writeFileSync(at, text);
  return at;
};

describe('loading contracts', () => {
  it('takes them in every form', () => {
    const input = { routes: { a_to_b: { from: 'a', to: 'b', required: ['x'] } } };
    const json = file('c.json', JSON.stringify({ version: 1, ...input }));
    const at = file('c.yaml', yaml);
    const built = createContracts(input);
    for (const source of [input, built, parseContracts(yaml, 'c.yaml'), yaml, at, json, pathToFileURL(at)]) {
      expect(loadContracts(source)?.routes.get('a_to_b')?.to).toBe('b');
    }
    expect(loadContracts(built)).toBe(built);
    expect(otel.warnings()).toEqual([]);
  });

  it('finds the default file in the working directory, and is silent without one', () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(loadContracts(undefined)).toBeUndefined();
      expect(otel.warnings()).toEqual([]);
      file('seamtrace.contracts.yaml', yaml);
      expect(loadContracts(undefined)?.routes.has('a_to_b')).toBe(true);
    } finally {
      process.chdir(before);
    }
  });

  it('reports every problem with file and line, uses nothing of the file, and never throws', () => {
    const bad = file(
      'bad.yaml',
      'version: 1\nroutes:\n  r: { from: a, to: b, required: [x], permitted: [y] }\n  s: { from: a }\n',
    );
    expect(loadContracts(bad)).toBeUndefined();
    const [warning] = otel.warnings();
    expect(warning).toMatch(/bad\.yaml:3/);
    expect(warning).toMatch(/bad\.yaml:4/);
  });

  it('names a file that is not there, is a folder, or is too large', () => {
    const large = file('large.yaml', ' '.repeat(1_048_577));
    for (const source of [path.join(folder, 'none.yaml'), folder, large]) {
      expect(loadContracts(source)).toBeUndefined();
    }
    expect(otel.warnings()).toHaveLength(3);
    expect(otel.warnings().join('\n')).toMatch(/none\.yaml[\s\S]*1048577 bytes/);
  });

  it('reports contracts built in code that cannot be used', () => {
    expect(loadContracts({ routes: { r: { from: 'a' } } } as never)).toBeUndefined();
    expect(loadContracts(5 as never)).toBeUndefined();
    expect(otel.warnings()).toHaveLength(2);
  });
});

describe('SEAMTRACE_*', () => {
  it('is empty by default, and when empty', () => {
    const unset = { disabled: false, contractsPath: undefined, secret: undefined, enforce: undefined };
    expect(readConfig({})).toEqual(unset);
    expect(
      readConfig({ SEAMTRACE_DISABLED: '', SEAMTRACE_CONTRACTS: ' ', SEAMTRACE_SECRET: '', SEAMTRACE_ENFORCE: '' }),
    ).toEqual(unset);
  });

  it('is read, and clamped with a word on what is wrong', () => {
    expect(
      readConfig({
        SEAMTRACE_DISABLED: 'TRUE',
        SEAMTRACE_ENFORCE: 'Warn',
        SEAMTRACE_SECRET: 's',
        SEAMTRACE_CONTRACTS: 'c',
      }),
    ).toEqual({
      disabled: true,
      contractsPath: 'c',
      secret: 's',
      enforce: 'warn',
    });
    expect(readConfig({ SEAMTRACE_DISABLED: 'maybe', SEAMTRACE_ENFORCE: 'hard' })).toMatchObject({
      disabled: false,
      enforce: undefined,
    });
    expect(otel.warnings()).toEqual([
      expect.stringContaining('SEAMTRACE_DISABLED="maybe"'),
      expect.stringContaining('observe, warn, enforce'),
    ]);
  });
});

it('states the version of the package', () => {
  expect([PACKAGE_NAME, PACKAGE_VERSION]).toEqual([packageJson.name, packageJson.version]);
});

it('has a row in the reference for every counter, and for nothing else', () => {
  const page = readFileSync(new URL('../../../../docs/reference/instrumentation.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('## `readCounters()`'), page.indexOf('## Environment'));
  const rows = [...section.matchAll(/^\| `([a-z_]+)`/gm)].map(([, name]) => name);
  expect(rows).toEqual([...COUNTER_NAMES]);
});

it('forgets the oldest entry of a full map', () => {
  const map = new Map<string, number>();
  expect(putBounded(map, 'a', 1, 2)).toBeUndefined();
  expect(putBounded(map, 'b', 2, 2)).toBeUndefined();
  expect(putBounded(map, 'a', 3, 2)).toBeUndefined();
  expect(putBounded(map, 'c', 4, 2)).toBe('b');
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
