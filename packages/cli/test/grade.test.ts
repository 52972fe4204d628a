import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type HandoffSpanModel, encodeJson, encodeProtobuf, handoffSpan, traceRequest } from '@seamtrace/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../src/program.js';
import { memoryIo } from './memory-io.js';

const CONTRACTS = `version: 1
agents: { triage: {}, billing: { terminal: true }, support: { terminal: true } }
routes:
  gated: { from: triage, to: billing, gate: required, version: '1', required: [customer_id, invoice_id], owners: { packaging_loss: team-triage } }
  advised: { from: triage, to: support, version: '1', required: [customer_id] }
`;
const FIELDS = [
  'handoff_id',
  'attempt',
  'case_id',
  'task_id',
  'route',
  'source',
  'target',
  'destination',
  'contract_version',
  'verdict',
  'boundary',
  'missing_keys',
  'reason',
  'delivered',
  'recovery',
  'recovery_by',
  'run_outcome',
  'secondary',
  'evidence',
  'owner',
  'findings',
  'grader_version',
];

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'seamtrace-grade-'));
  writeFileSync(path.join(cwd, 'seamtrace.contracts.yaml'), CONTRACTS);
});
afterEach(() => rmSync(cwd, { recursive: true }));

const both = ['customer_id', 'invoice_id'];
function handoff(handoffId: string, model: Partial<HandoffSpanModel> = {}) {
  return handoffSpan({
    role: 'destination',
    handoffId,
    route: 'gated',
    source: 'triage',
    target: 'billing',
    destination: 'billing',
    contractVersion: '1',
    sourceStage: both,
    payloadStage: both,
    destinationStage: both,
    ...model,
  });
}
const passed = handoff('h-passed');
const lost = handoff('h-lost', { payloadStage: ['customer_id'] });
const unknown = handoff('h-unknown', { sourceStage: { keys: ['customer_id'], incomplete: 'truncated' } });

async function grade(
  files: Record<string, string | Uint8Array>,
  args: string[] = [],
  env: Record<string, string> = {},
) {
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(cwd, name), content);
  const io = memoryIo({ cwd, env });
  const code = await runProgram(io, '0.0.0', ['grade', ...Object.keys(files), ...args]);
  return { code, out: io.out(), err: io.err() };
}
const json = (...spans: Parameters<typeof traceRequest>[0]) => encodeJson(traceRequest(spans));

describe('seamtrace grade', () => {
  it('prints one object a line, sorted, with every field in order', async () => {
    const { code, out, err } = await grade({ 'a.json': json(passed, handoff('h-Z'), handoff('h-a')) }, [
      '--format',
      'json',
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n');
    expect(lines.pop()).toBe('');
    const objects = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(objects.map(({ handoff_id }) => handoff_id)).toEqual(['h-Z', 'h-a', 'h-passed']);
    for (const object of objects) expect(Object.keys(object)).toEqual(FIELDS);
    expect(objects[2]).toMatchObject({
      verdict: 'passed',
      boundary: 'none',
      missing_keys: [],
      case_id: null,
      owner: null,
    });
  });

  it('takes all files together as the whole evidence, whatever their form', async () => {
    const producer = handoff('h-split', {
      role: 'dispatch',
      destinationStage: undefined,
      destination: undefined,
    } as never);
    const consumer = handoff('h-split', { role: 'ingest', sourceStage: undefined, payloadStage: undefined } as never);
    const { code, out } = await grade(
      {
        'a.pb.gz': gzipSync(encodeProtobuf(traceRequest([producer]))),
        'b.jsonl': `${json(consumer)}\n${json(passed)}\n`,
      },
      ['--format', 'json'],
    );
    expect(code).toBe(0);
    expect(out.split('\n').filter(Boolean)).toHaveLength(2);
  });

  it('prints a table with a count by default', async () => {
    const { out } = await grade({ 'a.json': json(passed, lost) });
    expect(out).toMatch(/h-lost +1 +gated +packaging_loss +source_to_payload +invoice_id +team-triage/);
    expect(out).toMatch(/\n2 handoffs: 1 passed, 1 packaging_loss\n$/);
  });

  describe('gate', () => {
    it('fails with 1 where a gated route failed, also when another handoff is undecided', async () => {
      const { code, err } = await grade({ 'a.json': json(passed, lost, unknown) });
      expect(code).toBe(1);
      expect(err).toContain('gated route gated failed: h-lost packaging_loss of invoice_id');
      expect(err).toContain('gated route gated is undecided: h-unknown insufficient_evidence (truncated)');
    });

    it('ends with 3 where a gated route is undecided or has no handoff', async () => {
      expect((await grade({ 'a.json': json(unknown) })).code).toBe(3);
      const none = await grade({ 'a.json': json() });
      expect(none).toMatchObject({ code: 3, err: expect.stringContaining('no handoff of it was found') as string });
    });

    it('turns 3 into a warning with gate.undecided: warn, and never 1', async () => {
      writeFileSync(path.join(cwd, 'seamtrace.config.yaml'), 'gate: { undecided: warn }\n');
      const warned = await grade({ 'a.json': json(unknown) });
      expect(warned.code).toBe(0);
      expect(warned.err).toMatch(/^seamtrace: warning: gated route gated is undecided/);
      expect((await grade({ 'a.json': json(lost, unknown) })).code).toBe(1);
    });

    it('does not judge advisory and undeclared routes', async () => {
      const advised = handoff('h-advised', {
        route: 'advised',
        target: 'support',
        destination: 'support',
        sourceStage: [],
      });
      const stranger = handoff('h-stranger', { route: 'nobody', sourceStage: [] });
      const { code, out } = await grade({ 'a.json': json(passed, advised, stranger) });
      expect(code).toBe(0);
      expect(out).toContain('upstream_context_missing');
    });

    it('judges nothing without a contract file', async () => {
      rmSync(path.join(cwd, 'seamtrace.contracts.yaml'));
      expect((await grade({ 'a.json': json(unknown) })).code).toBe(0);
    });
  });

  describe('bad input ends with 2, nothing on stdout, and what, where, what to do on stderr', () => {
    it.each([
      ['a file that is no OTLP', { 'a.txt': 'hello\n' }, [], /^seamtrace: a\.txt: .+; expected OTLP trace data/],
      ['a cut line', { 'a.jsonl': `${json(passed)}\n{"resourceSpans":[` }, [], /^seamtrace: a\.jsonl:2: /],
      ['a cut gzip', { 'a.gz': gzipSync(json(passed)).subarray(0, 60) }, [], /cannot read a\.gz: the gzip data ends/],
      ['a missing file', {}, ['nope.json'], /cannot read nope\.json: there is no such file/],
      ['a directory', {}, ['.'], /it is a directory/],
      [
        'an empty name',
        {},
        ['nope.json', ''],
        /cannot read nope\.json: .+\n.*cannot read '': a FILE argument is empty/,
      ],
      [
        'several files, each by its name',
        { 'a.txt': 'hello\n', 'b.json': json(passed), 'c.txt': 'null' },
        ['nope.json'],
        /a\.txt: .+\n.*c\.txt: .+\n.*cannot read nope\.json: /,
      ],
      ['text that protobuf takes for unknown fields', { a: 'xxxxxxxx' }, [], /a: it is text that is no JSON/],
      ['bytes without a resource_spans field', { a: Uint8Array.of(0x10, 1) }, [], /a: .*not one resource_spans field/],
      ['a JSON value', { a: ' null\n' }, [], /a: it is the JSON value null/],
      ['a JSON number', { a: '42' }, [], /a: it is the JSON value 42/],
      ['a page of a login screen', { a: '\n<!DOCTYPE html>' }, [], /a: it looks like HTML/],
      [
        'UTF-16',
        { a: Buffer.from('\uFEFF{"resourceSpans":[]}', 'utf16le') },
        [],
        /a: it is UTF-16 text; save it as UTF-8/,
      ],
      ['UTF-16 without a mark', { a: Buffer.from('{"resourceSpans":[]}', 'utf16le') }, [], /a: it is UTF-16 text/],
      ['zstd', { a: Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 4) }, [], /a: it is zstd data; unpack it first/],
      [
        "protobuf of a collector's file exporter",
        { a: Buffer.concat([Uint8Array.of(0, 0, 0, 2), Uint8Array.of(0x0a, 0)]) },
        [],
        /a: it holds protobuf messages with their lengths .+ format: json/,
      ],
      ['stdin twice', {}, ['-', '-'], /named twice/],
      [
        'a missing contract file',
        { 'a.json': json(passed) },
        ['--contracts', 'x.yaml'],
        /cannot read the contract file x\.yaml/,
      ],
      [
        'an unknown format',
        { 'a.json': json(passed) },
        ['--format', 'xml'],
        /Allowed choices are json, table; see seamtrace grade/,
      ],
      ['no file', {}, [], /missing required argument 'FILE'; see seamtrace grade --help/],
    ])('%s', async (_, files, args, message) => {
      const { code, out, err } = await grade(files as Record<string, string>, args);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(message);
    });

    it('a contract file with several faults, all of them with file and line', async () => {
      writeFileSync(
        path.join(cwd, 'seamtrace.contracts.yaml'),
        'version: 1\nroutes:\n  r:\n    from: a\n    too: b\n    required: [" bad"]\n    gate: maybe\n    hop_limit: -1\n',
      );
      const { code, err } = await grade({ 'a.json': json(passed) });
      expect(code).toBe(2);
      expect(err.match(/^ {2}seamtrace\.contracts\.yaml:\d+:\d+: /gm)?.length).toBeGreaterThanOrEqual(4);
    });
  });

  it('leaves out a span that cannot be used, says so and grades the rest', async () => {
    const { code, out, err } = await grade({ 'a.json': json(passed, handoff('?')) });
    expect(code).toBe(0);
    expect(out).toContain('1 handoff: 1 passed');
    expect(err).toMatch(/^seamtrace: a\.json.*: span .* is left out: /);
  });

  it.each([
    ['', 'a is empty'],
    ['\n \r\n\t', 'a holds no spans: it is nothing but white space'],
    ['{}', 'a holds no spans: it is an empty JSON object'],
    [
      '{"resourceLogs":[{}],"other":1}',
      'a holds no spans: it is a JSON object without resourceSpans; found "resourceLogs", "other"',
    ],
    ['{"resourceSpans":[]}', 'a holds no spans'],
  ])('warns of %j, which holds nothing to grade', async (content, warning) => {
    writeFileSync(path.join(cwd, 'seamtrace.contracts.yaml'), 'version: 1\nroutes: {}\n');
    const { code, err } = await grade({ a: content });
    expect({ code, err }).toEqual({ code: 0, err: `seamtrace: warning: ${warning}\n` });
  });

  it('says nothing of logs between the lines of traces', async () => {
    const { code, err } = await grade({ 'a.jsonl': `{"resourceLogs":[]}\n${json(passed)}\n` });
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('bin/seamtrace.js', () => {
  const bin = fileURLToPath(new URL('../bin/seamtrace.js', import.meta.url));

  it('reads standard input and sets the exit code', () => {
    const done = spawnSync(process.execPath, [bin, 'grade', '-', '--format', 'json'], {
      cwd,
      input: json(lost),
      encoding: 'utf8',
    });
    expect(done.status).toBe(1);
    expect(JSON.parse(done.stdout)).toMatchObject({ verdict: 'packaging_loss', owner: 'team-triage' });
  });

  it('ends quietly when the reader of its output goes', async () => {
    const many = Array.from({ length: 4000 }, (_, index) => handoff(`h-${index}`));
    writeFileSync(path.join(cwd, 'many.pb'), encodeProtobuf(traceRequest(many)));
    const child = spawn(process.execPath, [bin, 'grade', 'many.pb', '--format', 'json'], { cwd });
    child.stdout.once('data', () => child.stdout.destroy());
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code: code as number, stderr }).toEqual({ code: 0, stderr: '' });
  });

  // The device whose disk is always full; only Linux has it.
  it.runIf(existsSync('/dev/full')).each([
    ['a table', ['grade', 'a.json']],
    ['lines', ['grade', 'a.json', '--format', 'json']],
    ['help', ['--help']],
    ['a summary', ['contracts', 'check']],
  ])('says once that %s cannot be written, and ends with 2, which is no verdict', (_, args) => {
    writeFileSync(path.join(cwd, 'a.json'), json(lost));
    const full = openSync('/dev/full', 'w');
    const done = spawnSync(process.execPath, [bin, ...args], {
      cwd,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(done.stderr).toMatch(/^seamtrace: cannot write standard output \(ENOSPC.+\); make room .+\n$/);
    expect(done.status).toBe(2);
  });

  it('loads no server for a gate', () => {
    writeFileSync(path.join(cwd, 'a.json'), json(passed));
    // Every module that is resolved is named on stderr.
    const hooks =
      'export async function resolve(s, c, next) { const r = await next(s, c); process._rawDebug(r.url); return r; }';
    const register = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hooks)}');`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(register)}`, bin, 'grade', 'a.json'];
    const done = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
    expect(done.status).toBe(0);
    expect(done.stderr).toContain('/packages/core/dist/index.js');
    expect(done.stderr).not.toMatch(/packages\/analyzer|fastify|grpc|prom-client|pino|node:http/);
  });
});
