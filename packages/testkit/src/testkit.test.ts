import { decodeTracesJson, decodeTracesProtobuf } from '@seamtrace/core';
import { afterEach, describe, expect, test } from 'vitest';
import {
  decodedSpan,
  decodeFully,
  encodeJson,
  encodeProtobuf,
  handoffSpan,
  manualClock,
  otlpTypes,
  startCollector,
  startLogSink,
  traceRequest,
} from './index.js';
import type { OtlpSink } from './index.js';

const span = handoffSpan({
  role: 'destination',
  handoffId: 'h-001',
  destination: 'billing',
  sourceStage: ['b', 'a'],
  payloadStage: { keys: ['a'], incomplete: 'redacted' },
});

const running: OtlpSink[] = [];
afterEach(async () => {
  for (const sink of running.splice(0)) await sink.close();
});

function post(url: string, body: Uint8Array | string, contentType: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body });
}

describe('handoffSpan', () => {
  test('stamps stage evidence whose order, count and digest fit the keys', () => {
    const attributes = new Map(span.attributes as ReadonlyMap<string, unknown>);
    expect(attributes.get('seamtrace.source.keys')).toEqual(['a', 'b']);
    expect(attributes.get('seamtrace.source.complete')).toBe(true);
    expect(attributes.get('seamtrace.source.key_count')).toBe(2n);
    // printf 'a\nb' | sha256sum | cut -c1-16
    expect(attributes.get('seamtrace.source.keys_digest')).toBe('7e18f737311b2dc3');
    expect(attributes.get('seamtrace.payload.complete')).toBe(false);
    expect(attributes.get('seamtrace.payload.incomplete_reason')).toBe('redacted');
    expect(attributes.has('seamtrace.destination.keys')).toBe(false);
  });

  test('gives each role, attempt and execution of a handoff its own span id in one trace', () => {
    const make = (attempt: number) => handoffSpan({ role: 'dispatch', handoffId: 'h-001', attempt });
    expect(make(1).spanId).not.toBe(make(2).spanId);
    expect(make(1).spanId).not.toBe(span.spanId);
    expect(make(2).traceId).toBe(span.traceId);
  });

  test('reads back as written through either encoding', () => {
    const request = traceRequest([span]);
    const expected = { ok: true, spans: [decodedSpan(span)], received: 1, ignored: 0, rejections: [], invalidUtf8: 0 };
    expect(decodeTracesProtobuf(encodeProtobuf(request))).toEqual(expected);
    expect(decodeTracesJson(encodeJson(request))).toEqual(expected);
  });
});

describe('startCollector', () => {
  test('records spans of both encodings, whole', async () => {
    const collector = await startCollector();
    running.push(collector);
    const request = traceRequest([{ ...span, attributes: { 'gen_ai.input.messages': 'hello', n: 1n } }]);
    await post(`${collector.url}/v1/traces`, encodeProtobuf(request), 'application/x-protobuf');
    await post(`${collector.url}/v1/traces`, encodeJson(request), 'application/json');
    await collector.waitForSpans(2);
    expect(collector.spans[0]).toEqual(collector.spans[1]);
    expect(collector.spans[0]).toEqual(decodeFully(encodeProtobuf(request))[0]);
    expect(collector.spans[0]?.attributes.get('gen_ai.input.messages')).toBe('hello');
    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/traces']);
  });

  test('a refused request is seen but its spans are not taken', async () => {
    const collector = await startCollector({
      answer: (count) => (count === 1 ? { status: 503, headers: { 'retry-after': '7' } } : { status: 200 }),
    });
    running.push(collector);
    const body = encodeProtobuf(traceRequest([span]));
    const refused = await post(`${collector.url}/v1/traces`, body, 'application/x-protobuf');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7']);
    expect(collector.spans).toEqual([]);
    expect((await post(`${collector.url}/v1/traces`, body, 'application/x-protobuf')).status).toBe(200);
    expect([collector.requests.length, collector.spans.length]).toEqual([2, 1]);
  });
});

test('startLogSink records log events', async () => {
  const sink = await startLogSink();
  running.push(sink);
  const type = otlpTypes.logsRequest;
  const logRecords = [{ eventName: 'seamtrace.verdict', timeUnixNano: '5', body: { stringValue: 'x' } }];
  const body = type.encode(type.fromObject({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })).finish();
  await post(`${sink.url}/v1/logs`, body, 'application/x-protobuf');
  await sink.waitForRecords(1);
  expect(sink.records[0]).toMatchObject({ eventName: 'seamtrace.verdict', timeUnixNano: 5n, body: 'x' });
});

test('manualClock stands still until it is moved, and only goes forward', () => {
  const clock = manualClock(1000);
  expect(clock.now()).toBe(1000);
  clock.advance(5);
  expect(clock.now()).toBe(1005);
  expect(() => clock.advance(-1)).toThrow(RangeError);
});
