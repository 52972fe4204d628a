import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../src/program.js';
import { memoryIo } from './memory-io.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'seamtrace-program-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

async function run(...args: string[]) {
  const io = memoryIo({ cwd });
  const code = await runProgram(io, '1.2.3', args);
  return { code, out: io.out(), err: io.err() };
}

describe('usage', () => {
  it.each([
    [[], 'no command given; see seamtrace --help'],
    [['contracts'], 'no command given; see seamtrace contracts --help'],
    [['grde'], "unknown command 'grde'\n(Did you mean grade?); see seamtrace --help"],
    [['serve', '--grpc', 'x'], "unknown option '--grpc'"],
    [['serve', '--admin'], "option '--admin <HOST:PORT>' argument missing; see seamtrace serve --help"],
    [['contracts', 'check', 'a', 'b'], 'too many arguments'],
  ])('%j ends with 2 and says what to do', async (args, message) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`seamtrace: ${message.split('\n')[0]}`);
    expect(err).toMatch(/; see seamtrace .*--help\n$/);
  });

  it('prints version and help on stdout and ends with 0', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' });
    for (const command of [[], ['serve'], ['demo'], ['grade'], ['contracts', 'check'], ['contracts', 'lint']]) {
      const { code, out, err } = await run(...command, '--help');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      if (command.length > 0) expect(out).toMatch(/\nExamples?:\n {2}seamtrace /);
    }
  });
});

it('docs/reference/cli.md knows every command and flag', async () => {
  const page = readFileSync(new URL('../../../docs/reference/cli.md', import.meta.url), 'utf8');
  for (const command of [['serve'], ['demo'], ['grade'], ['contracts', 'check'], ['contracts', 'lint']]) {
    const [, section] = page.split(`seamtrace ${command.join(' ')} [`, 2);
    expect(section ?? page.split(`seamtrace ${command.join(' ')} FILE`, 2)[1], command.join(' ')).toBeDefined();
    const { out } = await run(...command, '--help');
    for (const [flag] of out.matchAll(/^ {2}(--[a-z-]+)/gm)) expect(page, flag).toContain(flag.trim());
  }
});

describe('serve', () => {
  it('names every problem of flags and configuration at once and starts nothing', async () => {
    writeFileSync(path.join(cwd, 'seamtrace.config.yaml'), 'sette_s: 1\nadmin: nonsense\n');
    const { code, out, err } = await run(
      'serve',
      '--otlp-grpc',
      '4317',
      '--threshold',
      'loops=1',
      '--otlp-http',
      '4318',
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const lines = err.trimEnd().split('\n');
    expect(lines[0]).toBe('seamtrace: the configuration has 5 problems; correct what follows and start again');
    expect(lines.slice(1).map((line) => line.trim().split(': ')[0])).toEqual([
      'seamtrace.config.yaml:1:1',
      '--threshold loops',
      'seamtrace.config.yaml:2:1',
      '--otlp-http',
      '--otlp-grpc',
    ]);
  });

  it('refuses one address for two listeners', async () => {
    const { code, err } = await run('serve', '--otlp-http', '127.0.0.1:9464');
    expect(code).toBe(2);
    expect(err).toContain('127.0.0.1:9464');
  });

  it('names every problem of the contract file and starts nothing', async () => {
    writeFileSync(
      path.join(cwd, 'seamtrace.contracts.yaml'),
      'version: 1\nroutes:\n  r:\n    from: a\n    too: b\n    required: [" bad"]\n    gate: maybe\n    hop_limit: -1\n    read_back: si\n',
    );
    const { code, err } = await run('serve');
    expect(code).toBe(2);
    expect(err).toMatch(/^seamtrace: seamtrace\.contracts\.yaml has 5 problems/);
    expect(err.match(/^ {2}seamtrace\.contracts\.yaml:\d+:\d+: /gm)).toHaveLength(5);
  });
});

describe('contracts', () => {
  const good =
    'version: 1\nagents: { a: {}, b: { terminal: true } }\nroutes:\n  r: { from: a, to: b, required: [k] }\n';

  it('checks the default file, and says what is in it', async () => {
    writeFileSync(path.join(cwd, 'seamtrace.contracts.yaml'), good);
    const { code, out } = await run('contracts', 'check');
    expect(code).toBe(0);
    expect(out).toMatch(/^seamtrace\.contracts\.yaml: 2 agents, 1 route \(0 gated\), digest [0-9a-f]{16}\n$/);
  });

  it('ends with 2 for a missing file and for a faulty one', async () => {
    expect(await run('contracts', 'check', 'no.yaml')).toMatchObject({ code: 2, out: '' });
    writeFileSync(path.join(cwd, 'bad.yaml'), 'version: 2\n');
    for (const command of ['check', 'lint']) {
      const { code, err } = await run('contracts', command, 'bad.yaml');
      expect(code).toBe(2);
      expect(err).toMatch(/bad\.yaml:1:/);
    }
  });

  it('finds the file by flag as the other commands do', async () => {
    writeFileSync(path.join(cwd, 'c.yaml'), good);
    const named = await run('contracts', 'check', '--contracts', 'c.yaml');
    expect([named.code, named.err]).toEqual([0, '']);
    const missing = await run('contracts', 'check', '--contracts', 'none.yaml');
    expect(missing.code).toBe(2);
    expect(missing.err).toContain('none.yaml');
  });

  it('lints: notes end with 0, refusals with 1', async () => {
    writeFileSync(path.join(cwd, 'c.yaml'), good);
    const noted = await run('contracts', 'lint', 'c.yaml');
    expect(noted.code).toBe(0);
    expect(noted.out).toMatch(/^note: route "r": nobody owns /);
    writeFileSync(
      path.join(cwd, 'c.yaml'),
      good.replace('required: [k]', 'required: [k], enforce: { producer: enforce }'),
    );
    const refused = await run('contracts', 'lint', 'c.yaml');
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(/^refused: route "r" enforces \(producer\) without /);
  });
});

describe('demo', () => {
  it('says what is missing where --app is no copy of the example', async () => {
    const { code, err } = await run('demo', '--app', cwd);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^seamtrace: .*src\/app\.js does not exist; name a copy of examples\/support-desk with --app\n$/,
    );
  });
});
