import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Due, extractEvidence, gradeRecord, mergeRecords } from '@seamtrace/core';
import { decodedSpan, handoffSpan, startLogSink } from '@seamtrace/testkit';
import type { LogSink, SinkAnswer } from '@seamtrace/testkit';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import type { Verdict } from '../verdict.js';
import { createEventSink } from './sink.js';

function verdict(outcome?: string, previous?: Due['previous']): Verdict {
  const keys = ['customer_id'];
  const base = { handoffId: 'h-1', route: 'r', source: 'triage', target: 'billing', requiredKeys: keys } as const;
  const spans = [
    handoffSpan({ role: 'dispatch', ...base, sourceStage: keys, payloadStage: keys }),
    handoffSpan({
      role: 'ingest',
      ...base,
      destination: 'billing',
      destinationStage: keys,
      ...(outcome === undefined ? {} : { attributes: { 'seamtrace.ingest.outcome': outcome } }),
    }),
  ];
  const record = spans
    .map((span) => {
      const result = extractEvidence(decodedSpan(span));
      if (!result.ok || result.evidence?.handoff === undefined) throw new Error('the span says nothing');
      return result.evidence.handoff;
    })
    .reduce(mergeRecords);
  const context = { contracts: undefined, isInstrumented: () => true, tools: [], siblings: [] };
  const graded = gradeRecord(record, context)!;
  const revision = previous === undefined ? 1 : 2;
  return { graded, record, siblings: [], revision, previous, verdictId: 'ab'.repeat(16), reachedAt: 1_767_225_600_000 };
}

const unheard = (): void => {};

let endpoint: LogSink | undefined;
afterEach(() => endpoint?.close());

async function setUp(answer: (count: number) => SinkAnswer, maxQueued: number, at = (url: string) => `${url}/v1/logs`) {
  endpoint = await startLogSink({ answer });
  const counts: Record<string, number> = {};
  const log: string[] = [];
  const sink = createEventSink({
    endpoint: at(endpoint.url),
    version: '0.0.0',
    contractDigest: '3a7bd3e2360a3d29',
    maxQueued,
    logger: pino({}, { write: (line) => void log.push(line) }),
    record: (outcome, count) => (counts[outcome] = (counts[outcome] ?? 0) + count),
  });
  return { sink, counts, log, endpoint };
}

it('says everything of a verdict, on the trace of the span that stands for it', async () => {
  const { sink, counts, endpoint } = await setUp(() => ({ status: 200 }), 10);
  const said = verdict();
  sink.emit(said, unheard);
  expect(await sink.shutdown(20_000)).toBe(0);
  const [event] = endpoint.records;
  expect(event).toMatchObject({
    eventName: 'seamtrace.verdict',
    severityText: 'INFO',
    body: 'passed, triage to billing',
    timeUnixNano: 1_767_225_600_000_000_000n,
    traceId: said.record.ingestSpan?.traceId,
    spanId: said.record.ingestSpan?.spanId,
  });
  expect(Object.fromEntries(event!.attributes)).toMatchObject({
    'seamtrace.schema.version': '1',
    'seamtrace.handoff.id': 'h-1',
    'seamtrace.handoff.attempt': 1n,
    'seamtrace.handoff.source.name': 'triage',
    'seamtrace.verdict.value': 'passed',
    'seamtrace.verdict.missing_keys': [],
    'seamtrace.verdict.findings': [],
    'seamtrace.verdict.contract_digest': '3a7bd3e2360a3d29',
    'seamtrace.verdict.id': 'ab'.repeat(16),
  });
  expect(event!.attributes.has('seamtrace.task.id')).toBe(false);
  expect(event!.resource.get('service.name')).toBe('seamtrace-analyzer');
  expect(counts).toEqual({ delivered: 1 });
});

it('tells a rejection once, with the first verdict that rests on it', async () => {
  const { sink, endpoint } = await setUp(() => ({ status: 200 }), 10);
  const before = verdict();
  const rejected = verdict('rejected', { graded: before.graded, record: before.record });
  sink.emit(before, unheard);
  sink.emit(rejected, unheard);
  sink.emit(verdict('rejected', { graded: rejected.graded, record: rejected.record }), unheard);
  await sink.shutdown(20_000);
  const names = endpoint.records.map(({ eventName }) => eventName);
  expect(names.filter((name) => name === 'seamtrace.ingest.rejected')).toHaveLength(1);
  expect(names).toHaveLength(4);
});

it('tries again after a 503, and drops and counts what its queue cannot hold', async () => {
  const { sink, counts, endpoint } = await setUp((count) => ({ status: count === 1 ? 503 : 200 }), 2);
  for (let event = 0; event < 5; event += 1) sink.emit(verdict(), unheard);
  expect(counts).toEqual({ dropped: 3 });
  await endpoint.waitForRecords(2);
  expect(await sink.shutdown(20_000)).toBe(0);
  expect(counts).toEqual({ dropped: 3, delivered: 2 });
});

it('counts what an endpoint refuses for good', async () => {
  const { sink, counts } = await setUp(() => ({ status: 400 }), 10);
  sink.emit(verdict(), unheard);
  expect(await sink.shutdown(20_000)).toBe(0);
  expect(counts).toEqual({ failed: 1 });
});

it('stops at its time limit and says how many events did not get through', async () => {
  const { sink, counts } = await setUp(() => ({ status: 503 }), 10);
  sink.emit(verdict(), unheard);
  sink.emit(verdict(), unheard);
  expect(await sink.shutdown(0)).toBe(2);
  expect(counts).toEqual({ failed: 2 });
});

it('says status and wait of an endpoint that puts it off, and nothing that could be a credential', async () => {
  const busy = createServer((_request, response) => void response.writeHead(503, { 'retry-after': '30' }).end());
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(busy.address() as AddressInfo).port}`;
  const { sink, log } = await setUp(
    () => ({ status: 200 }),
    1,
    () => `http://user:hunter2@${host}/x?token=hunter3#hunter4`,
  );
  sink.emit(verdict(), unheard);
  sink.emit(verdict(), unheard);
  await vi.waitFor(() => expect(log.join('')).toContain('takes nothing for now'), { timeout: 20_000 });
  await sink.shutdown(0);
  busy.close();
  busy.closeAllConnections();
  const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map((line) => line['endpoint'])).toEqual(Array(3).fill(`http://${host}/x`));
  expect(lines[1]).toMatchObject({ status: 503, reason: 'status 503', retryInSeconds: 30 });
  expect(log.join('')).not.toMatch(/hunter|stack/);
});

it('says which verdicts are settled: taken or refused for good, and not those that found no room or that a stop leaves behind', async () => {
  const taken = await setUp(() => ({ status: 200 }), 1);
  const said: string[] = [];
  taken.sink.emit(verdict(), () => said.push('taken'));
  taken.sink.emit({ ...verdict(), revision: 2 }, () => said.push('dropped'));
  await taken.sink.shutdown(20_000);
  await endpoint?.close();
  const refused = await setUp(() => ({ status: 400 }), 10);
  refused.sink.emit(verdict(), () => said.push('refused'));
  await refused.sink.shutdown(20_000);
  await endpoint?.close();
  const putOff = await setUp(() => ({ status: 503 }), 10);
  putOff.sink.emit(verdict(), () => said.push('put off'));
  await putOff.sink.shutdown(0);
  expect(said).toEqual(['taken', 'refused']);
});

it('lets whoever can wait do so while its queue is full and the endpoint takes events', async () => {
  const { sink, counts } = await setUp(() => ({ status: 200 }), 1);
  expect(sink.room()).toBeUndefined();
  for (let event = 1; event <= 3; event += 1) {
    await sink.room();
    sink.emit({ ...verdict(), revision: event }, unheard);
  }
  await sink.shutdown(20_000);
  expect(counts).toEqual({ delivered: 3 });
});

it('makes nobody wait for an endpoint that takes nothing', async () => {
  const { sink } = await setUp(() => ({ status: 503 }), 1);
  sink.emit(verdict(), unheard);
  await sink.room();
  expect(sink.room()).toBeUndefined();
  await sink.shutdown(0);
});
