import { createContracts } from '@seamtrace/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentRun, type OtelHarness, startOtel, toolCall } from '../test/otel-harness.js';
import { createHandoffs } from './create-handoffs.js';

const contracts = createContracts({
  agents: { triage: {}, billing: { aliases: ['billing_agent'] }, support: {} },
  routes: {
    triage_to_billing: {
      from: 'triage',
      to: 'billing',
      current: '2',
      hop_limit: 6,
      versions: {
        '2': { required: ['customer_id', 'invoice_id'], permitted: ['customer_id', 'invoice_id', 'locale'] },
      },
    },
    billing_to_support: { from: 'billing', to: 'support', required: ['customer_id'] },
  },
});

const source = { customer_id: 'c-1', invoice_id: 'i-9', locale: 'en', internal_note: 'stays here' };

let otel: OtelHarness;
beforeEach(() => {
  otel = startOtel();
});
afterEach(() => otel.stop());

describe('a handoff in one process', () => {
  it('lists what the consumer says that it reads: names of keys, and nothing that could be a value', () => {
    const handoffs = createHandoffs({ contracts });
    const read = (reads: unknown) =>
      agentRun('triage', () =>
        handoffs.accept(handoffs.dispatch({ to: 'billing', source, channel: 'shared_state' }), () =>
          agentRun('billing', () => handoffs.ingested(source, { reads: reads as string[] })),
        ),
      );
    read(['plan', 'invoice_id', 'plan', 'Mr. Smith', 7]);
    for (const odd of [undefined, 'plan', [], new Proxy(['plan'], {})]) read(odd);
    const key = 'seamtrace.destination.read_keys';
    const ingests = otel.spansNamed('ingest triage_to_billing');
    expect(ingests.map(({ attributes }) => attributes[key])).toEqual([
      ['invoice_id', 'plan'],
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(otel.spansNamed('invoke_agent billing')[0]?.attributes[key]).toEqual(['invoice_id', 'plan']);
  });

  it('says by role what the wire contract asks of each span', () => {
    const handoffs = createHandoffs({ contracts, secret: 's3' });
    const { id } = agentRun('triage', () => {
      const handoff = handoffs.dispatch({ to: 'billing', source, mode: 'transfer', goal: 'settle it' });
      expect(handoff.payload).toEqual({ customer_id: 'c-1', invoice_id: 'i-9', locale: 'en' });
      handoffs.accept(handoff, () =>
        agentRun('billing', () => {
          handoffs.ingested(handoff.payload);
          toolCall('lookup', () => undefined);
        }),
      );
      return handoff;
    });

    const triage = otel.span('invoke_agent triage');
    const dispatch = otel.span('handoff billing');
    const ingest = otel.span('ingest triage_to_billing');
    const billing = otel.span('invoke_agent billing');
    const taskId = triage.attributes['seamtrace.task.id'];

    const identity = {
      'seamtrace.schema.version': '1',
      'seamtrace.capture.by': '@seamtrace/instrumentation@0.1.0',
      'seamtrace.handoff.id': id,
      'seamtrace.handoff.attempt': 1,
      'seamtrace.handoff.execution': 1,
      'seamtrace.handoff.route': 'triage_to_billing',
      'seamtrace.handoff.mode': 'transfer',
      'seamtrace.handoff.source.name': 'triage',
      'seamtrace.handoff.target.name': 'billing',
      'seamtrace.task.id': taskId,
      'seamtrace.correlation.id': taskId,
      'seamtrace.hop.index': 1,
      'seamtrace.hop.limit': 6,
      'seamtrace.hop.path': ['triage', 'billing'],
    };
    const contract = {
      'seamtrace.contract.version': '2',
      'seamtrace.contract.required_keys': ['customer_id', 'invoice_id'],
      'seamtrace.contract.permitted_keys': ['customer_id', 'invoice_id', 'locale'],
    };
    const carried = {
      'seamtrace.source.keys': ['customer_id', 'internal_note', 'invoice_id', 'locale'],
      'seamtrace.source.key_count': 4,
      'seamtrace.source.keys_digest': expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      'seamtrace.source.complete': true,
      'seamtrace.payload.keys': ['customer_id', 'invoice_id', 'locale'],
      'seamtrace.payload.key_count': 3,
      'seamtrace.payload.keys_digest': expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      'seamtrace.payload.complete': true,
      'seamtrace.payload.channel': 'envelope',
      'seamtrace.payload.size': JSON.stringify({ customer_id: 'c-1', invoice_id: 'i-9', locale: 'en' }).length,
      'seamtrace.goal.digest': expect.stringMatching(/^hmac-sha256:[0-9a-f]{8}:[0-9a-f]{64}$/) as string,
    };
    const destination = {
      'seamtrace.destination.keys': ['customer_id', 'invoice_id', 'locale'],
      'seamtrace.destination.key_count': 3,
      'seamtrace.destination.keys_digest': dispatch.attributes['seamtrace.payload.keys_digest'],
      'seamtrace.destination.complete': true,
      'seamtrace.ingest.outcome': 'accepted',
    };
    const genAi = (name: string) => ({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name });

    expect(dispatch.attributes).toEqual({
      ...identity,
      ...contract,
      ...carried,
      'seamtrace.handoff.role': 'dispatch',
      'seamtrace.dispatch.outcome': 'dispatched',
    });
    expect(ingest.attributes).toEqual({
      ...identity,
      ...contract,
      ...destination,
      'seamtrace.handoff.role': 'ingest',
      'seamtrace.handoff.destination.name': 'billing',
    });
    expect(billing.attributes).toEqual({
      ...genAi('billing'),
      ...identity,
      ...contract,
      ...carried,
      ...destination,
      'seamtrace.handoff.role': 'destination',
      'seamtrace.ingest.offset': expect.any(Number) as number,
    });
    expect(triage.attributes).toEqual({
      ...genAi('triage'),
      'seamtrace.task.id': taskId,
      'seamtrace.correlation.id': taskId,
      'seamtrace.schema.version': '1',
      'seamtrace.capture.by': '@seamtrace/instrumentation@0.1.0',
      'seamtrace.handoff.dispatched_ids': [id],
    });
    expect(otel.span('execute_tool lookup').attributes).toMatchObject({
      'seamtrace.run.handoff.id': id,
      'seamtrace.task.id': taskId,
      'seamtrace.correlation.id': taskId,
    });
    expect(dispatch.parentSpanContext?.spanId).toBe(triage.spanContext().spanId);
    expect(ingest.parentSpanContext?.spanId).toBe(billing.spanContext().spanId);
    expect([dispatch.kind, ingest.kind]).toEqual([0, 0]);
    expect(otel.warnings()).toEqual([]);
  });

  it('ends the dispatch span at dispatch and the ingest span at ingest, long before the runs end', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      const handoff = handoffs.dispatch({ to: 'billing', source });
      expect(otel.spansNamed('handoff billing')).toHaveLength(1);
      handoffs.accept(handoff, () =>
        agentRun('billing', () => {
          handoffs.ingested(source);
          expect(otel.spansNamed('ingest triage_to_billing')).toHaveLength(1);
          expect(otel.spansNamed('invoke_agent billing')).toHaveLength(0);
        }),
      );
    });
  });

  it('never puts a handoff that a run dispatched onto that run, however it is accepted', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      const handoff = handoffs.dispatch({ to: 'billing', source });
      handoffs.accept(handoff, () => handoffs.ingested(source), { agent: 'billing' });
    });
    expect(otel.span('invoke_agent triage').attributes).not.toHaveProperty('seamtrace.handoff.id');
    expect(otel.span('ingest triage_to_billing').attributes).toMatchObject({
      'seamtrace.handoff.destination.name': 'billing',
      'seamtrace.destination.complete': true,
    });
  });

  it('names the agent that really took a misrouted handoff', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      const handoff = handoffs.dispatch({ to: 'billing', source });
      handoffs.accept(handoff, () => agentRun('support', () => handoffs.ingested(source)));
    });
    expect(otel.span('invoke_agent support').attributes).toMatchObject({
      'seamtrace.handoff.role': 'destination',
      'seamtrace.handoff.target.name': 'billing',
      'seamtrace.destination.complete': true,
    });
    expect(otel.span('ingest triage_to_billing').attributes['seamtrace.handoff.destination.name']).toBe('support');
  });

  it('finds the run with the name of the target beneath a wrapper of another name', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      const handoff = handoffs.dispatch({ to: 'billing', source });
      handoffs.accept(handoff, () => agentRun('graph', () => agentRun('billing_agent', () => undefined)));
    });
    expect(otel.span('invoke_agent graph').attributes).not.toHaveProperty('seamtrace.handoff.id');
    expect(otel.span('invoke_agent billing_agent').attributes['seamtrace.handoff.role']).toBe('destination');
  });

  it('says that nobody observed an ingest, and never that keys are missing', async () => {
    const handoffs = createHandoffs({ contracts });
    const done = agentRun('triage', async () => {
      const handoff = handoffs.dispatch({ to: 'billing', source });
      await handoffs.accept(handoff, () => agentRun('billing', () => Promise.resolve()));
    });
    await done;
    const { attributes } = otel.span('invoke_agent billing');
    expect(attributes).toMatchObject({
      'seamtrace.destination.complete': false,
      'seamtrace.destination.incomplete_reason': 'unsupported',
      'seamtrace.payload.complete': true,
    });
    expect(attributes).not.toHaveProperty('seamtrace.ingest.outcome');
    expect(otel.spansNamed('ingest triage_to_billing')).toEqual([]);
  });

  it('continues the chain: path, index, limit, task and correlation', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      const first = handoffs.dispatch({ to: 'billing', source });
      handoffs.accept(first, () =>
        agentRun('billing', () => {
          handoffs.ingested(source);
          const second = handoffs.dispatch({ to: 'support', source });
          handoffs.accept(second, () => agentRun('support', () => handoffs.ingested(second.payload)));
        }),
      );
    });
    const [first, second] = [otel.span('handoff billing'), otel.span('handoff support')];
    expect(second.attributes).toMatchObject({
      'seamtrace.hop.path': ['triage', 'billing', 'support'],
      'seamtrace.hop.index': 2,
      'seamtrace.hop.limit': 6,
      'seamtrace.task.id': first.attributes['seamtrace.task.id'],
      'seamtrace.correlation.id': first.attributes['seamtrace.correlation.id'],
      'seamtrace.handoff.route': 'billing_to_support',
      'seamtrace.contract.required_keys': ['customer_id'],
    });
    expect(second.attributes).not.toHaveProperty('seamtrace.contract.permitted_keys');
    expect(second.attributes['seamtrace.payload.keys']).toEqual(['customer_id']);
    expect(otel.span('invoke_agent support').attributes['seamtrace.hop.index']).toBe(2);
    expect(otel.span('invoke_agent billing').attributes['seamtrace.handoff.dispatched_ids']).toEqual([
      second.attributes['seamtrace.handoff.id'],
    ]);
  });

  it('gives a return leg its own id, the index of what it answers, and no run', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      const forward = handoffs.dispatch({ to: 'billing', source, mode: 'delegation' });
      const back = handoffs.accept(forward, () =>
        agentRun('billing', () => {
          handoffs.ingested(source);
          return handoffs.dispatch({ to: 'triage', source: { settled: true }, leg: 'return' });
        }),
      );
      handoffs.accept(back, () => {
        handoffs.ingested(back.payload);
        toolCall('note', () => undefined);
      });
      handoffs.dispatch({ to: 'support', source });
    });
    const forward = otel.span('handoff billing').attributes;
    const back = otel.span('handoff triage').attributes;
    expect(back).toMatchObject({
      'seamtrace.handoff.leg': 'return',
      'seamtrace.handoff.in_reply_to': forward['seamtrace.handoff.id'],
      'seamtrace.hop.index': 1,
      'seamtrace.task.id': forward['seamtrace.task.id'],
    });
    expect(back['seamtrace.handoff.id']).not.toBe(forward['seamtrace.handoff.id']);
    expect(back).not.toHaveProperty('seamtrace.hop.path');
    expect(otel.span('invoke_agent triage').attributes).not.toHaveProperty('seamtrace.handoff.id');
    expect(otel.span('ingest triage').attributes['seamtrace.handoff.destination.name']).toBe('triage');
    expect(otel.span('execute_tool note').attributes).not.toHaveProperty('seamtrace.run.handoff.id');
    expect(otel.span('handoff support').attributes['seamtrace.hop.index']).toBe(1);
  });

  it('lets a run that several handoffs started carry none of their ids', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      const one = handoffs.dispatch({ to: 'billing', source, task: { id: 't.1', parentId: 't' } });
      const two = handoffs.dispatch({ to: 'billing', source, task: { id: 't.2', parentId: 't' } });
      handoffs.accept(one, () =>
        handoffs.accept(two, () =>
          agentRun('billing', () => {
            handoffs.ingested(source);
            toolCall('sum', () => undefined);
          }),
        ),
      );
    });
    const billing = otel.span('invoke_agent billing').attributes;
    expect(Object.keys(billing).filter((key) => /handoff|destination|payload/.test(key))).toEqual([]);
    expect(billing['seamtrace.task.id']).toBe('t');
    const ids = otel.spansNamed('handoff billing').map((span) => span.attributes['seamtrace.handoff.id']);
    const ingests = otel.spansNamed('ingest triage_to_billing');
    expect(ingests.map((span) => span.attributes['seamtrace.handoff.id']).sort()).toEqual([...ids].sort());
    expect(ingests.every((span) => span.attributes['seamtrace.destination.complete'] === true)).toBe(true);
    expect(otel.span('execute_tool sum').attributes).not.toHaveProperty('seamtrace.run.handoff.id');
  });

  it('takes the agent of the process where neither a call nor a run says who it is, and only there', () => {
    const producer = createHandoffs({ contracts, agent: 'triage' });
    const consumer = createHandoffs({ contracts, agent: 'billing' });
    consumer.accept(producer.dispatch({ to: 'billing', source }), () => consumer.ingested(source));
    consumer.accept(producer.dispatch({ to: 'billing', source }), () =>
      agentRun('support', () => consumer.ingested(source)),
    );
    const names = otel
      .spansNamed('ingest triage_to_billing')
      .map((span) => span.attributes['seamtrace.handoff.destination.name']);
    expect(names).toEqual(['billing', 'support']);
    expect(otel.span('invoke_agent support').attributes).not.toHaveProperty('seamtrace.handoff.destination.name');
  });

  it('never lets an ingest end before its dispatch', () => {
    const handoffs = createHandoffs({ contracts });
    const nanos = ([seconds, rest]: readonly [number, number]) => BigInt(seconds) * 1_000_000_000n + BigInt(rest);
    for (let round = 0; round < 200; round += 1) {
      const handoff = handoffs.dispatch({ from: 'triage', to: 'billing', source });
      handoffs.accept(handoff, () => handoffs.ingested(source));
    }
    const dispatches = otel.spansNamed('handoff billing');
    otel.spansNamed('ingest triage_to_billing').forEach((ingest, index) => {
      const dispatch = dispatches[index];
      expect(dispatch?.attributes['seamtrace.handoff.id']).toBe(ingest.attributes['seamtrace.handoff.id']);
      expect(nanos(ingest.endTime) >= nanos(dispatch?.endTime ?? [0, 0])).toBe(true);
      expect(nanos(ingest.endTime) >= nanos(ingest.startTime)).toBe(true);
    });
  });

  it('takes the first ingested() of an accept, and none outside of one', () => {
    const handoffs = createHandoffs({ contracts });
    handoffs.ingested({ stray: 1 });
    agentRun('triage', () => {
      const handoff = handoffs.dispatch({ to: 'billing', source });
      handoffs.accept(handoff, () =>
        agentRun('billing', () => {
          handoffs.ingested({ customer_id: 1 });
          handoffs.ingested({ customer_id: 1, invoice_id: 2, own_write: 3 });
        }),
      );
    });
    expect(otel.span('invoke_agent billing').attributes['seamtrace.destination.keys']).toEqual(['customer_id']);
    expect(otel.span('ingest triage_to_billing').attributes['seamtrace.destination.keys']).toEqual(['customer_id']);
  });

  it('keeps 200 concurrent handoffs apart', async () => {
    const handoffs = createHandoffs({ contracts });
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    await Promise.all(
      Array.from({ length: 200 }, (_, number) =>
        agentRun('triage', async () => {
          await pause();
          const handoff = handoffs.dispatch({ to: 'billing', source: { ...source, [`mark_${number}x`]: 1 } });
          await pause();
          await handoffs.accept(handoff, () =>
            agentRun('billing', async () => {
              await pause();
              handoffs.ingested({ ...(handoff.payload as object), [`mark_${number}x`]: 1 });
              await toolCall('lookup', pause);
            }),
          );
        }),
      ),
    );
    const marks = (value: unknown) => (value as string[]).filter((key) => key.startsWith('mark_'));
    const dispatched = new Map(
      otel.spansNamed('handoff billing').map(({ attributes }) => [attributes['seamtrace.handoff.id'], attributes]),
    );
    expect(dispatched.size).toBe(200);
    const destinations = otel.spansNamed('invoke_agent billing');
    expect(destinations).toHaveLength(200);
    for (const { attributes } of destinations) {
      const sent = dispatched.get(attributes['seamtrace.handoff.id']);
      expect(marks(attributes['seamtrace.destination.keys'])).toEqual(marks(sent?.['seamtrace.source.keys']));
      expect(attributes['seamtrace.task.id']).toBe(sent?.['seamtrace.task.id']);
    }
    expect(
      new Set(otel.spansNamed('execute_tool lookup').map((s) => s.attributes['seamtrace.run.handoff.id'])).size,
    ).toBe(200);
    expect(new Set(otel.spansNamed('handoff billing').map((s) => s.attributes['seamtrace.task.id'])).size).toBe(200);
  });
});

describe('an accept of which nobody says who took it', () => {
  const dispatched = () => createHandoffs({ contracts }).dispatch({ from: 'triage', to: 'billing', source });

  it('is warned of once', () => {
    const handoffs = createHandoffs({ contracts });
    for (const handoff of [dispatched(), dispatched()]) handoffs.accept(handoff, () => handoffs.ingested(source));
    expect(otel.warnings()).toEqual([expect.stringMatching(/nobody said who took triage_to_billing.*`agent`/)]);
  });

  it('is not where an option, the process or a run says it', () => {
    const handoffs = createHandoffs({ contracts });
    handoffs.accept(dispatched(), () => handoffs.ingested(source), { agent: 'billing' });
    createHandoffs({ contracts, agent: 'billing' }).accept(dispatched(), () => handoffs.ingested(source));
    handoffs.accept(dispatched(), () => agentRun('billing', () => undefined));
    const sent = dispatched();
    agentRun('billing', () => handoffs.accept(sent, () => handoffs.ingested(source)));
    handoffs.accept(undefined, () => undefined);
    expect(otel.warnings()).toEqual([]);
  });
});
