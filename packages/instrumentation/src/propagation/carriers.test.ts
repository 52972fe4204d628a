import { propagation, ROOT_CONTEXT, context, trace } from '@opentelemetry/api';
import { createContracts } from '@seamtrace/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentRun, type OtelHarness, spanAround, startOtel } from '../../test/otel-harness.js';
import { createHandoffs } from '../create-handoffs.js';
import type { Handoff } from '../handoff/handle.js';
import { readCounters } from '../runtime/report.js';
import { runtime } from '../runtime/state.js';
import { encodeHandoff } from './encode.js';
import { A2A_HANDOFF_KEY, MCP_HANDOFF_KEY } from './keys.js';
import { receivedFromMetadata, withHandoffMetadata } from './metadata.js';

const contracts = createContracts({
  routes: {
    triage_to_billing: {
      from: 'triage',
      to: 'billing',
      version: '2',
      required: ['customer_id', 'note'],
      permitted: ['customer_id', 'note', 'locale'],
    },
  },
});
const source = { customer_id: 'c-1', note: 'n', locale: 'en', secret_plan: 'x' };

let otel: OtelHarness;
beforeEach(() => {
  otel = startOtel();
});
afterEach(() => otel.stop());

/** As if the message were read in another process: what this one remembers is gone. */
function otherProcess(): void {
  runtime().known.clear();
}

function send<C extends object>(carrier: C, dispatched: Partial<Parameters<typeof dispatchFrom>[0]> = {}): Handoff {
  return dispatchFrom({ carrier, ...dispatched });
}

function dispatchFrom({ carrier, from = source }: { carrier: object; from?: object }): Handoff {
  const producer = createHandoffs({ contracts });
  return agentRun('triage', () => {
    const handoff = producer.dispatch({ to: 'billing', source: from, mode: 'transfer' });
    producer.inject(handoff, carrier);
    return handoff;
  });
}

describe('a handoff through a carrier', () => {
  it('arrives whole: the destination span restates all that the producer said', () => {
    const headers: Record<string, string> = {};
    const handoff = send(headers);
    otherProcess();
    const consumer = createHandoffs({ contracts });
    const received = consumer.extract(headers);
    expect(received).toEqual({
      id: handoff.id,
      attempt: 1,
      route: 'triage_to_billing',
      source: 'triage',
      target: 'billing',
      taskId: otel.span('handoff billing').attributes['seamtrace.task.id'],
    });
    consumer.accept(received, () => agentRun('billing', () => consumer.ingested(handoff.payload)));

    const sent = { ...otel.span('handoff billing').attributes };
    delete sent['seamtrace.handoff.role'];
    delete sent['seamtrace.dispatch.outcome'];
    const billing = otel.span('invoke_agent billing');
    expect(billing.attributes).toMatchObject(sent);
    expect(billing.attributes).toMatchObject({
      'seamtrace.handoff.role': 'destination',
      'seamtrace.destination.keys': ['customer_id', 'locale', 'note'],
      'seamtrace.destination.complete': true,
    });
    const producerTrace = otel.span('invoke_agent triage').spanContext().traceId;
    expect(billing.spanContext().traceId).toBe(producerTrace);
    expect(otel.span('ingest triage_to_billing').links).toEqual([]);
  });

  it('stamps the run that is already active, and links where it stands in another trace', () => {
    const headers: Record<string, string> = {};
    send(headers);
    otherProcess();
    const consumer = createHandoffs({ contracts });
    agentRun('billing', () => consumer.accept(consumer.extract(headers), () => consumer.ingested(source)));
    expect(otel.span('invoke_agent billing').attributes).toMatchObject({
      // It began as a run of a task of its own, before anybody knew what started it.
      'seamtrace.task.id': otel.span('handoff billing').attributes['seamtrace.task.id'],
      'seamtrace.correlation.id': otel.span('handoff billing').attributes['seamtrace.correlation.id'],
      'seamtrace.handoff.role': 'destination',
      'seamtrace.destination.complete': true,
      'seamtrace.ingest.outcome': 'accepted',
    });
    const [link] = otel.span('ingest triage_to_billing').links;
    expect(link?.context.traceId).toBe(otel.span('invoke_agent triage').spanContext().traceId);
  });

  it('is known to an active run of another name by who told what was ingested', () => {
    const headers: Record<string, string> = {};
    send(headers);
    otherProcess();
    const consumer = createHandoffs({ contracts });
    agentRun('orchestrator', () =>
      consumer.accept(consumer.extract(headers), () => agentRun('billing', () => consumer.ingested(source))),
    );
    expect(otel.span('invoke_agent orchestrator').attributes).not.toHaveProperty('seamtrace.handoff.id');
    expect(otel.span('invoke_agent billing').attributes['seamtrace.handoff.role']).toBe('destination');
  });

  it('works without a contract file at the consumer, null under a nullable key included', () => {
    const nullable = createContracts({
      routes: {
        r: {
          from: 'triage',
          to: 'billing',
          versions: { '1': { required: ['customer_id', 'note'], nullable: ['note'] } },
        },
      },
    });
    const headers: Record<string, string> = {};
    const producer = createHandoffs({ contracts: nullable });
    agentRun('triage', () =>
      producer.inject(producer.dispatch({ to: 'billing', source: { customer_id: 1, note: null } }), headers),
    );
    otherProcess();
    const consumer = createHandoffs({ contracts: createContracts({ routes: {} }) });
    consumer.accept(consumer.extract(headers), () =>
      agentRun('billing', () => consumer.ingested({ customer_id: 1, note: null })),
    );
    expect(otel.span('invoke_agent billing').attributes).toMatchObject({
      'seamtrace.contract.version': '1',
      'seamtrace.destination.keys': ['customer_id', 'note'],
    });
  });

  it('does not restate evidence beside a contract that it was not captured by', () => {
    const headers: Record<string, string> = {};
    send(headers);
    otherProcess();
    const newer = createContracts({
      routes: { triage_to_billing: { from: 'triage', to: 'billing', version: '3', required: ['customer.id'] } },
    });
    const consumer = createHandoffs({ contracts: newer });
    consumer.accept(consumer.extract(headers), () =>
      agentRun('billing', () => consumer.ingested({ customer: { id: 1 } })),
    );
    const { attributes } = otel.span('invoke_agent billing');
    expect(attributes).toMatchObject({
      'seamtrace.contract.version': '3',
      'seamtrace.contract.required_keys': ['customer.id'],
      'seamtrace.destination.keys': ['customer', 'customer.id'],
    });
    expect(Object.keys(attributes).filter((key) => /\.(source|payload)\.key/.test(key))).toEqual([]);
  });

  it.each([
    ['Headers', () => new Headers()],
    ['a Map', () => new Map<string, string>()],
    ['an object with names in other case', () => ({ Baggage: 'tenant=7', 'Seamtrace-Handoff': 'old' })],
  ])('travels in %s', (_name, make) => {
    const carrier = make();
    const { id } = send(carrier);
    otherProcess();
    expect(createHandoffs({ contracts }).extract(carrier)?.id).toBe(id);
  });

  it('travels by the setter and getter of a transport', () => {
    const message = { properties: [] as { key: string; value: string }[] };
    const producer = createHandoffs({ contracts });
    const { id } = agentRun('triage', () => {
      const handoff = producer.dispatch({ to: 'billing', source });
      producer.inject(handoff, message, { set: (to, key, value) => void to.properties.push({ key, value }) });
      return handoff;
    });
    expect(message.properties.map(({ key }) => key).sort()).toEqual(['baggage', 'seamtrace-handoff', 'traceparent']);
    otherProcess();
    const received = createHandoffs({ contracts }).extract(message, {
      keys: (from) => from.properties.map(({ key }) => key),
      get: (from, wanted) => from.properties.find(({ key }) => key === wanted)?.value,
    });
    expect(received?.id).toBe(id);
  });

  it.each([
    [A2A_HANDOFF_KEY, 'https://seamtrace.dev/a2a/handoff/v1'],
    [MCP_HANDOFF_KEY, 'dev.seamtrace/handoff'],
  ] as const)('travels as one object under %s', (key, written) => {
    const producer = createHandoffs({ contracts });
    const handoff = agentRun('triage', () => producer.dispatch({ to: 'billing', source }));
    const metadata = withHandoffMetadata(handoff, { mine: 1 }, key);
    expect(Object.keys(metadata)).toEqual(['mine', written]);
    otherProcess();
    const arrived: unknown = JSON.parse(JSON.stringify(metadata));
    expect(receivedFromMetadata(arrived, key)).toMatchObject({ id: handoff.id, target: 'billing' });
    expect(receivedFromMetadata({ [key]: { 'seamtrace.handoff.id': 5 } }, key)).toBeUndefined();
    expect(receivedFromMetadata(undefined, key)).toBeUndefined();
  });
});

describe('baggage', () => {
  it('holds id, attempt and hop for this call, beside what the application has there', () => {
    const headers: Record<string, string> = { baggage: 'tenant=7;ttl=1,region=eu' };
    const producer = createHandoffs({ contracts });
    const { id } = agentRun('triage', () => {
      const handoff = producer.dispatch({ to: 'billing', source });
      const mine = propagation.createBaggage({ user: { value: 'u 1' } });
      context.with(propagation.setBaggage(context.active(), mine), () => producer.inject(handoff, headers));
      expect(propagation.getActiveBaggage()).toBeUndefined();
      return handoff;
    });
    expect(headers.baggage?.split(',')).toEqual([
      'tenant=7;ttl=1',
      'region=eu',
      'user=u%201',
      `seamtrace.handoff=${encodeURIComponent(`${id}~1~1`)}`,
    ]);
  });

  it('gives the bare identity when there is no header, and leaves the context at ingest', () => {
    const headers: Record<string, string> = {};
    const { id } = send(headers);
    delete headers['seamtrace-handoff'];
    otherProcess();
    const consumer = createHandoffs({ contracts });
    const received = consumer.extract(headers);
    expect(received).toMatchObject({ id, attempt: 1, target: undefined });
    // An HTTP instrumentation has extracted the same baggage before us.
    context.with(propagation.extract(ROOT_CONTEXT, headers), () => {
      expect(propagation.getActiveBaggage()?.getEntry('seamtrace.handoff')).toBeDefined();
      consumer.accept(received, () => {
        expect(propagation.getActiveBaggage()?.getEntry('seamtrace.handoff')).toBeUndefined();
        agentRun('billing', () => consumer.ingested(source));
      });
    });
    const { attributes } = otel.span('invoke_agent billing');
    expect(attributes).toMatchObject({ 'seamtrace.handoff.id': id, 'seamtrace.hop.index': 1 });
    expect(attributes).not.toHaveProperty('seamtrace.handoff.target.name');
  });

  it('never pushes out what the application carries', () => {
    const full = Array.from({ length: 180 }, (_, index) => `k${index}=v`).join(',');
    const headers: Record<string, string> = { baggage: full };
    const before = readCounters().baggage_not_written;
    send(headers);
    expect(headers.baggage).toBe(full);
    expect(headers).toHaveProperty('seamtrace-handoff');
    expect(readCounters().baggage_not_written).toBe(before + 1);
  });

  it('is left out when the id makes it 256 bytes or more', () => {
    const headers: Record<string, string> = {};
    const producer = createHandoffs({ contracts });
    // Colons are percent-encoded to three bytes each.
    agentRun('triage', () =>
      producer.inject(producer.dispatch({ to: 'billing', source, id: `a${':'.repeat(100)}` }), headers),
    );
    expect(headers).not.toHaveProperty('baggage');
    expect(headers).toHaveProperty('seamtrace-handoff');
  });
});

describe('the size of the header', () => {
  const decoded = (headers: Record<string, string>) =>
    JSON.parse(Buffer.from(headers['seamtrace-handoff'] ?? '', 'base64url').toString()) as Record<string, unknown>;

  it('is at most 4,096 bytes of JSON: names go first, and the stage says so', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 240 }, (_, index) => [
        `some_long_member_name_${String.fromCharCode(97 + (index % 26))}${index}`,
        1,
      ]),
    );
    const headers: Record<string, string> = {};
    send(headers, { from: { ...source, ...wide } });
    const carried = decoded(headers);
    expect(Buffer.byteLength(JSON.stringify(carried))).toBeLessThanOrEqual(4_096);
    expect(carried).toMatchObject({
      'seamtrace.source.complete': false,
      'seamtrace.source.incomplete_reason': 'truncated',
      'seamtrace.source.key_count': 244,
      'seamtrace.payload.complete': true,
      'seamtrace.payload.keys': ['customer_id', 'locale', 'note'],
    });
    expect(carried).not.toHaveProperty(['seamtrace.source.keys']);
    otherProcess();
    const consumer = createHandoffs({ contracts });
    consumer.accept(consumer.extract(headers), () => agentRun('billing', () => consumer.ingested(source)));
    expect(otel.span('invoke_agent billing').attributes).toMatchObject({
      'seamtrace.source.complete': false,
      'seamtrace.source.incomplete_reason': 'truncated',
      'seamtrace.payload.complete': true,
      'seamtrace.destination.complete': true,
    });
  });

  it('gives up the trace context of the dispatch before any name, and keeps it where names go anyway', () => {
    const keys = ['m'.repeat(120), 'n'.repeat(120)];
    const capture = { keys, keyCount: 2, keysDigest: '0123456789abcdef', complete: true } as const;
    const padded = (bytes: number) =>
      encodeHandoff({
        id: 'h-1',
        attempt: 1,
        execution: 1,
        correlationId: 'x'.repeat(bytes),
        sourceCapture: { keys: capture },
        dispatchSpan: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 },
      });
    const free = 4_096 - Buffer.byteLength(JSON.stringify(padded(0)));
    expect(padded(free)).toMatchObject({ 'seamtrace.source.keys': keys, traceparent: expect.any(String) as string });
    expect(padded(free + 1)).toMatchObject({ 'seamtrace.source.keys': keys });
    expect(padded(free + 1)).not.toHaveProperty('traceparent');
    expect(padded(free + 100)).toMatchObject({
      'seamtrace.source.complete': false,
      traceparent: expect.any(String) as string,
    });
    expect(padded(free + 100)).not.toHaveProperty(['seamtrace.source.keys']);
    expect(padded(free + 260)).not.toHaveProperty('traceparent');
  });

  it('is no header at all when not even the identity fits', () => {
    const headers: Record<string, string> = {};
    const names = Array.from({ length: 60 }, (_, index) => `agent_${index}_${'ü'.repeat(100)}`);
    const producer = createHandoffs({ contracts: createContracts({ routes: {} }) });
    const before = readCounters().header_not_written;
    const chain = (at: number): void => {
      const handoff = producer.dispatch({ from: names[at], to: names[at + 1] ?? 'end', source: {} });
      if (at < 50) producer.accept(handoff, () => chain(at + 1), { agent: names[at + 1] });
      else producer.inject(handoff, headers);
    };
    chain(0);
    // The path is given up, and then the identity fits after all.
    expect(readCounters().header_not_written).toBe(before);
    expect(decoded(headers)).toMatchObject({ 'seamtrace.hop.index': 51 });
    expect(decoded(headers)).not.toHaveProperty(['seamtrace.hop.path']);
  });
});

describe('what arrives damaged', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const id = 'handoff-1';

  it.each([
    ['no base64url', '%%%', 'header_malformed'],
    ['no JSON', Buffer.from('{"a":').toString('base64url'), 'header_malformed'],
    ['JSON null', encode(null), 'header_malformed'],
    ['a list', encode([]), 'header_malformed'],
    ['no id', encode({}), 'header_malformed'],
    ['a bad id', encode({ 'seamtrace.handoff.id': '../x' }), 'header_malformed'],
    [
      'an attempt of text',
      encode({ 'seamtrace.handoff.id': id, 'seamtrace.handoff.attempt': '2' }),
      'header_malformed',
    ],
    ['an attempt of 0', encode({ 'seamtrace.handoff.id': id, 'seamtrace.handoff.attempt': 0 }), 'header_malformed'],
    [
      'keys that are no texts',
      encode({ 'seamtrace.handoff.id': id, 'seamtrace.source.complete': true, 'seamtrace.source.keys': [1] }),
      'header_malformed',
    ],
    [
      'another schema version',
      encode({ 'seamtrace.handoff.id': id, 'seamtrace.schema.version': '2' }),
      'header_malformed',
    ],
    ['an unknown mode', encode({ 'seamtrace.handoff.id': id, 'seamtrace.handoff.mode': 'gift' }), 'header_malformed'],
    ['over the limit', 'A'.repeat(5_465), 'header_too_long'],
    ['empty', '', 'header_absent'],
  ] as const)('is dropped and counted: %s', (_name, header, counter) => {
    const before = readCounters()[counter];
    const consumer = createHandoffs({ contracts });
    const received = consumer.extract({ 'seamtrace-handoff': header });
    expect(received).toBeUndefined();
    expect(readCounters()[counter]).toBe(before + 1);
    // The destination stands alone, and the work is done all the same.
    expect(consumer.accept(received, () => agentRun('billing', () => 'worked'))).toBe('worked');
    expect(otel.span('invoke_agent billing').attributes).not.toHaveProperty('seamtrace.handoff.id');
  });

  it.each([5, '', 'x', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`])(
    'keeps the handoff when its traceparent is damaged, and links to nothing: %s',
    (traceparent) => {
      const consumer = createHandoffs({ contracts });
      const received = consumer.extract({ 'seamtrace-handoff': encode({ 'seamtrace.handoff.id': id, traceparent }) });
      expect(received?.id).toBe(id);
      consumer.accept(received, () => consumer.ingested(source));
      expect(otel.spansNamed('ingest').at(-1)?.links).toEqual([]);
    },
  );

  it('links to the dispatch that its traceparent names, also from metadata', () => {
    const consumer = createHandoffs({ contracts });
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    const metadata = { [A2A_HANDOFF_KEY]: { 'seamtrace.handoff.id': id, traceparent } };
    consumer.accept(receivedFromMetadata(metadata), () => consumer.ingested(source), { agent: 'billing' });
    expect(otel.span('ingest').links.map((link) => link.context)).toEqual([
      { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1, isRemote: true },
    ]);
  });

  it('is not restated as complete when names, count and digest disagree', () => {
    const consumer = createHandoffs({ contracts: createContracts({ routes: {} }) });
    const received = consumer.extract({
      'seamtrace-handoff': encode({
        'seamtrace.handoff.id': id,
        'seamtrace.source.complete': true,
        'seamtrace.source.keys': ['a'],
        'seamtrace.source.key_count': 2,
        'seamtrace.source.keys_digest': '0123456789abcdef',
      }),
    });
    consumer.accept(received, () => agentRun('billing', () => undefined));
    expect(otel.span('invoke_agent billing').attributes).toMatchObject({
      'seamtrace.source.complete': false,
      'seamtrace.source.incomplete_reason': 'truncated',
    });
  });

  it.each(['x', 'a~1', 'a~0~1', 'ab~1~1', `${'a'.repeat(129)}~1~1`, 'abc~1~x', 'abc~1~1~1'])(
    'is no identity in baggage: %s',
    (value) => {
      const before = readCounters().baggage_malformed;
      expect(createHandoffs({ contracts }).extract({ baggage: `seamtrace.handoff=${value}` })).toBeUndefined();
      expect(readCounters().baggage_malformed).toBe(before + 1);
    },
  );

  it.each([
    [
      'a getter that throws',
      () => ({
        get: () => {
          throw new Error('boom');
        },
        keys: () => [],
      }),
    ],
    ['a getter that gives objects', () => ({ get: () => ({}) as string, keys: () => [] })],
  ])('does not reach the application: %s', (_name, getter) => {
    expect(createHandoffs({ contracts }).extract({}, getter())).toBeUndefined();
  });

  it.each([null, undefined, 5, 'text', []])('takes %j for a carrier without a handoff', (carrier) => {
    const handoffs = createHandoffs({ contracts });
    expect(handoffs.extract(carrier)).toBeUndefined();
    agentRun('triage', () => handoffs.inject(handoffs.dispatch({ to: 'billing', source }), carrier));
  });

  it('survives setters that throw and handles that are none', () => {
    const handoffs = createHandoffs({ contracts });
    const handoff = agentRun('triage', () => handoffs.dispatch({ to: 'billing', source }));
    const throws = {
      set: () => {
        throw new Error('boom');
      },
    };
    expect(() => handoffs.inject(handoff, {}, throws)).not.toThrow();
    expect(() => handoffs.inject({ id: 'unknown', attempt: 1, payload: 1 }, {})).not.toThrow();
    expect(handoffs.accept({ id: 'unknown', attempt: 1, payload: 1 }, () => 4)).toBe(4);
  });

  it('survives handles, carriers and providers that throw', () => {
    const hostile: never = new Proxy(
      {},
      {
        get: () => {
          throw new Error('boom');
        },
        ownKeys: () => {
          throw new Error('boom');
        },
      },
    ) as never;
    const handoffs = createHandoffs({ contracts, tracerProvider: hostile });
    const handoff = handoffs.dispatch({ to: 'billing', source });
    expect(handoff.payload).toBe(source);
    for (const each of [handoff, hostile]) {
      handoffs.inject(each, hostile);
      expect(handoffs.accept(each, () => 'worked')).toBe('worked');
      expect(handoffs.extract(hostile)).toBeUndefined();
      expect(receivedFromMetadata(hostile)).toBeUndefined();
      expect(withHandoffMetadata(each, hostile)).toBe(hostile);
    }
    expect(createHandoffs(null as never).dispatch({ to: 'x', source: 1 }).payload).toBe(1);
  });

  it('knows a handoff of this process behind a copy of its handle', () => {
    const handoffs = createHandoffs({ contracts });
    const handoff = agentRun('triage', () => handoffs.dispatch({ to: 'billing', source }));
    handoffs.accept(structuredClone(handoff), () => agentRun('billing', () => handoffs.ingested(source)));
    expect(otel.span('invoke_agent billing').attributes['seamtrace.handoff.id']).toBe(handoff.id);
  });
});

it('continues the active trace where there is one', () => {
  const headers: Record<string, string> = {};
  send(headers);
  otherProcess();
  const consumer = createHandoffs({ contracts });
  spanAround('POST /work', {}, (server) => {
    consumer.accept(consumer.extract(headers), () => {
      expect(trace.getActiveSpan()).toBe(server);
    });
  });
});
