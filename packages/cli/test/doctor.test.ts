import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  encodeJson,
  encodeProtobuf,
  type HandoffSpanModel,
  handoffSpan,
  type SpanModel,
  type TraceRequestModel,
  traceRequest,
} from '@seamtrace/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnosis } from '../src/doctor/types.js';
import { runProgram } from '../src/program.js';
import { memoryIo } from './memory-io.js';

const CONTRACTS = `version: 1
agents: { triage: {}, billing: { terminal: true }, support: { terminal: true } }
routes:
  triage_to_billing: { from: triage, to: billing, version: '1', required: [customer_id] }
`;
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'seamtrace-doctor-'));
  writeFileSync(path.join(cwd, 'seamtrace.contracts.yaml'), CONTRACTS);
});
afterEach(() => rmSync(cwd, { recursive: true }));

function handoff(model: Partial<HandoffSpanModel> = {}): SpanModel {
  return handoffSpan({
    role: 'destination',
    handoffId: 'h-1',
    route: 'triage_to_billing',
    source: 'triage',
    target: 'billing',
    destination: 'billing',
    task: 't-1',
    contractVersion: '1',
    requiredKeys: ['customer_id'],
    sourceStage: ['customer_id'],
    payloadStage: ['customer_id'],
    destinationStage: ['customer_id'],
    ...model,
    attributes: { 'seamtrace.hop.index': 1n, ...(model.attributes as object | undefined) },
  });
}
function foreign(name: string, attributes: Record<string, string>): SpanModel {
  return { ...handoff(), spanId: name.padEnd(16, '0').replaceAll(/[^0-9a-f]/g, 'a'), name, attributes };
}

async function doctor(requests: readonly TraceRequestModel[], args: readonly string[] = []) {
  writeFileSync(path.join(cwd, 'spans.jsonl'), requests.map((each) => encodeJson(each)).join('\n'));
  const io = memoryIo({ cwd });
  const code = await runProgram(io, '0.0.0', ['doctor', 'spans.jsonl', '--format', 'json', ...args]);
  const diagnoses = io
    .out()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Diagnosis);
  return { code, diagnoses, ids: diagnoses.map(({ id }) => id), err: io.err() };
}
const one = (...spans: SpanModel[]) => doctor([traceRequest(spans, 'desk')]);

describe('seamtrace doctor', () => {
  it('finds nothing where nothing is missing', async () => {
    expect(await one(handoff())).toEqual({ code: 0, diagnoses: [], ids: [], err: '' });
  });

  it('names a service that runs agents and is not instrumented, whatever convention its spans follow', async () => {
    const { code, diagnoses } = await doctor([
      traceRequest([handoff()], 'desk'),
      traceRequest([foreign('a1', { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'writer' })], 'otel'),
      traceRequest([foreign('a2', { 'openinference.span.kind': 'AGENT', 'agent.name': 'editor' })], 'openinference'),
      traceRequest([foreign('a3', { 'traceloop.span.kind': 'agent' })], 'traceloop'),
      traceRequest([foreign('a4', { 'http.request.method': 'GET' })], 'shop'),
    ]);
    expect(code).toBe(1);
    expect(diagnoses.map(({ service, id }) => [service, id])).toEqual([
      ['openinference', 'not_instrumented'],
      ['otel', 'not_instrumented'],
      ['traceloop', 'not_instrumented'],
    ]);
    expect(diagnoses[1]?.what).toContain('writer');
    expect(diagnoses[1]?.fix).toContain('--import @seamtrace/instrumentation/register');
  });

  it.each([
    ['redacted', 'redaction'],
    ['truncated', 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'],
    ['sampled', 'SeamtraceSampler'],
    ['unsupported', 'plain object'],
    ['error', 'errors of the runs'],
  ] as const)('says of a capture that is %s what to do about it', async (incomplete, fix) => {
    const { code, diagnoses } = await one(handoff({ destinationStage: { keys: [], incomplete } }));
    const found = diagnoses.find(({ id }) => id === `capture_${incomplete}`);
    expect(code).toBe(1);
    expect(found).toMatchObject({ service: 'desk', severity: 'problem', count: 1, examples: ['h-1'] });
    expect(found?.what).toContain('destination');
    expect(found?.fix).toContain(fix);
  });

  it('sees what a pipeline did: values turned into text, masked names, an id rewritten, another version', async () => {
    const changed = (attributes: Record<string, unknown>) => handoff({ attributes: attributes as never });
    const { diagnoses } = await one(
      changed({ 'seamtrace.source.complete': 'true' }),
      { ...changed({ 'seamtrace.handoff.id': '****' }), spanId: '00000000000000b1' },
      { ...handoff({ handoffId: 'h-2', attributes: { 'seamtrace.schema.version': '9' } }) },
      { ...handoff({ handoffId: 'h-3', attributes: { 'seamtrace.destination.keys': ['***'] } }) },
    );
    const what = Object.fromEntries(diagnoses.map((each) => [each.id, each.what]));
    expect(what['attribute_type']).toBe(
      'seamtrace.source.complete is a text where true or false is expected, so it counts as not said',
    );
    expect(what['handoff_id_unusable']).toMatch(/^spans are left out: /);
    expect(what['schema_version']).toBe('spans follow version "9" of the wire contract; this seamtrace reads 1');
    expect(what).toHaveProperty('capture_redacted');
  });

  it('says which side is silent, and names the service of the other', async () => {
    const dispatched = handoff({ role: 'dispatch', destination: undefined, destinationStage: undefined } as never);
    const sent = await doctor([traceRequest([dispatched], 'desk')]);
    expect(sent.diagnoses.find(({ id }) => id === 'ingest_missing')).toMatchObject({
      service: null,
      examples: ['h-1'],
    });
    const taken = handoff({ sourceStage: undefined, payloadStage: undefined } as never);
    const received = await doctor([traceRequest([taken], 'billing-service')]);
    const found = received.diagnoses.find(({ id }) => id === 'dispatch_missing');
    expect(found?.what).toContain('from triage to billing');
    expect(found?.service).toBeNull();
  });

  it('says that a contract is unknown, and how a route differs from the file', async () => {
    const bare = handoff({
      route: undefined,
      contractVersion: undefined,
      requiredKeys: undefined,
      target: 'support',
      destination: 'support',
    } as never);
    const { ids, diagnoses } = await one(bare);
    expect(ids).toContain('contract_unknown');
    expect(diagnoses.find(({ id }) => id === 'route_undeclared')?.examples).toEqual(['triage → support']);
  });

  it('advises on what would show more, and ends with 0 then', async () => {
    const plain = handoff({ task: undefined } as never);
    const attributes = Object.fromEntries(
      [...(plain.attributes as Iterable<[string, unknown]>)].filter(([key]) => key !== 'seamtrace.hop.index'),
    );
    const tool = foreign('tool', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'lookup',
      'seamtrace.task.id': 't-1',
      'seamtrace.schema.version': '1',
    });
    const { code, ids, diagnoses } = await one({ ...plain, attributes: attributes as never }, tool);
    expect(code).toBe(0);
    expect(ids).toEqual(['task_unknown', 'hop_unknown', 'tool_arguments_unknown']);
    expect(diagnoses.every(({ severity }) => severity === 'advice')).toBe(true);
  });

  it('finds a question to a person that nothing can answer', async () => {
    const dropped = handoff({
      role: 'dispatch',
      destination: undefined,
      destinationStage: undefined,
      attributes: {
        'seamtrace.handoff.kind': 'agent_to_human',
        'seamtrace.dispatch.outcome': 'dropped',
        'error.type': 'MISSING_CHECKPOINTER',
      },
    } as never);
    const { code, ids } = await one(dropped);
    expect(code).toBe(1);
    expect(ids).toContain('interrupt_without_checkpointer');
  });

  it('counts a span once, however often and in whatever encoding it is there', async () => {
    const broken = handoff({ destinationStage: { keys: [], incomplete: 'sampled' } });
    writeFileSync(path.join(cwd, 'a.json'), encodeJson(traceRequest([broken], 'desk')));
    writeFileSync(path.join(cwd, 'b.pb.gz'), gzipSync(encodeProtobuf(traceRequest([broken], 'desk'))));
    const io = memoryIo({ cwd });
    await runProgram(io, '0.0.0', ['doctor', 'a.json', 'b.pb.gz', '--format', 'json']);
    expect(JSON.parse(io.out())).toMatchObject({ id: 'capture_sampled', count: 1 });
  });

  it('writes for people: each service, what is wrong, what to do, and a sum', async () => {
    writeFileSync(
      path.join(cwd, 's.json'),
      encodeJson(traceRequest([handoff({ destinationStage: { keys: [], incomplete: 'sampled' } })], 'desk')),
    );
    const io = memoryIo({ cwd });
    expect(await runProgram(io, '0.0.0', ['doctor', 's.json'])).toBe(1);
    expect(io.out()).toBe(
      'desk: 1 span, 1 span with evidence of handoffs\n' +
        '  problem capture_sampled, 1 ×: what the destination could read was sampled out (such as h-1)\n' +
        '    → sample whole traces, or wrap the sampler in SeamtraceSampler, which keeps spans with evidence of handoffs\n\n' +
        '1 handoff, 1 problem\n',
    );
  });

  it.each([
    [['doctor'], 'name files with OTLP spans, or an address to listen at with --listen, one of the two'],
    [['doctor', 'x.json', '--listen', '127.0.0.1:0'], 'one of the two'],
    [['doctor', '--listen', 'nowhere'], '--listen: "nowhere" is not an address'],
    [['doctor', '--listen', '127.0.0.1:0', '--for', 'ever'], '--for: "ever" is not a number of seconds'],
    [['doctor', 'x.json', '--for', '3'], '--for goes with --listen'],
    [['doctor', 'missing.json'], 'cannot read missing.json: there is no such file'],
  ])('refuses %j', async (args, message) => {
    const io = memoryIo({ cwd });
    expect(await runProgram(io, '0.0.0', args)).toBe(2);
    expect(io.err()).toContain(message);
    expect(io.out()).toBe('');
  });
});

/** A span with one attribute whose value is so many lists in each other. */
function nested(depth: number): Uint8Array {
  const field = (number: number, inner: Uint8Array): Uint8Array => {
    const length: number[] = [];
    for (let rest = inner.length; ; rest = Math.floor(rest / 128)) {
      length.push(rest > 127 ? (rest % 128) + 128 : rest);
      if (rest <= 127) break;
    }
    return Buffer.concat([Uint8Array.of((number << 3) | 2, ...length), inner]);
  };
  let value: Uint8Array = new Uint8Array();
  for (let at = 0; at < Math.min(depth, 4_000); at += 1) value = field(5, field(1, value));
  const key = field(1, Buffer.from('k'));
  const ids = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1))]);
  return field(1, field(2, field(2, Buffer.concat([ids, field(9, Buffer.concat([key, field(2, value)]))]))));
}

it('reads requests whose members are named as in the protobuf file', async () => {
  const json = JSON.parse(encodeJson(traceRequest([handoff()], 'desk'))) as object;
  const snake = JSON.stringify(json).replaceAll(/"([a-z]+[A-Z][A-Za-z]*)":/g, (_, name: string) => {
    return `"${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`;
  });
  writeFileSync(path.join(cwd, 'snake.json'), snake);
  const io = memoryIo({ cwd });
  const code = await runProgram(io, '0.0.0', ['doctor', 'snake.json', '--format', 'json']);
  // Whether the grading takes such a file or refuses it: a service is never called nameless that has a name.
  expect(io.out()).not.toContain('service_unnamed');
  expect([0, 1, 2]).toContain(code);
});

describe('seamtrace doctor --listen', () => {
  const bin = fileURLToPath(new URL('../bin/seamtrace.js', import.meta.url));

  it('takes what a running application sends, refuses the rest, and reports when told to stop', async () => {
    const child = spawn(process.execPath, [bin, 'doctor', '--listen', '127.0.0.1:0', '--format', 'json'], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const said: string[] = [];
      const lines = createInterface(child.stderr);
      lines.on('line', (line) => said.push(line));
      await once(lines, 'line');
      const url = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+),/.exec(said[0] ?? '')?.[1];
      const post = (body: Uint8Array | string, headers: Record<string, string>, at = '/v1/traces') =>
        fetch(`${url}${at}`, { method: 'POST', body: body as never, headers });
      const spans = traceRequest([handoff({ destinationStage: { keys: [], incomplete: 'sampled' } })], 'desk');
      const zipped = await post(gzipSync(encodeProtobuf(spans)), {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'gzip',
      });
      expect(zipped.status).toBe(200);
      expect((await post(encodeJson(spans), { 'content-type': 'application/json' })).status).toBe(200);
      expect((await post(encodeJson(spans), { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
      const upper = { 'content-type': 'application/x-protobuf', 'content-encoding': 'GZIP' };
      expect((await post(gzipSync(encodeProtobuf(spans)), upper)).status).toBe(200);
      expect((await post(nested(50_000), { 'content-type': 'application/x-protobuf' })).status).toBeLessThan(500);
      expect((await post('{', { 'content-type': 'application/json' })).status).toBe(400);
      expect((await post('not gzip', { 'content-encoding': 'gzip' })).status).toBe(400);
      expect((await post('x', { 'content-encoding': 'br' })).status).toBe(400);
      expect((await post('x', {}, '/v1/logs')).status).toBe(404);
      child.kill('SIGINT');
      const out = await text(child.stdout);
      const [code] = (await once(child, 'close').catch(() => [child.exitCode])) as [number];
      expect(JSON.parse(out)).toMatchObject({ id: 'capture_sampled', count: 1, service: 'desk' });
      expect(child.exitCode ?? code).toBe(1);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
