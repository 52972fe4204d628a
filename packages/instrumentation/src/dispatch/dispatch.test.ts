import { createContracts } from '@seamtrace/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentRun, type OtelHarness, startOtel, toolCall } from '../../test/otel-harness.js';
import { createHandoffs } from '../create-handoffs.js';
import { HANDOFF_ID_PATTERN } from '../handoff/id.js';
import { runtime } from '../runtime/state.js';

const contracts = createContracts({
  routes: {
    triage_to_billing: { from: 'triage', to: 'billing', version: '2', required: ['customer_id'], hop_limit: 6 },
    triage_to_support: { from: 'triage', to: 'support', required: ['customer_id'], hop_limit: 3 },
    support_a: { from: 'support', to: 'billing', required: ['customer_id'] },
    support_b: { from: 'support', to: 'billing', required: ['locale'] },
  },
});
const source = { customer_id: 'c-1' };

let otel: OtelHarness;
beforeEach(() => {
  otel = startOtel();
});
afterEach(() => otel.stop());

const attributesOf = (name: string) => otel.spansNamed(name).map((span) => span.attributes);

describe('the id of a dispatch', () => {
  const handoffs = () => createHandoffs({ contracts });
  const id = (options: Record<string, unknown>) => handoffs().dispatch({ to: 'billing', source, ...options }).id;

  it('is the same when the same call is executed again, also after a restart', () => {
    const first = id({ callId: 'call_1', runId: 'thread-7' });
    runtime().known.clear();
    expect(id({ callId: 'call_1', runId: 'thread-7' })).toBe(first);
    expect(first).toMatch(HANDOFF_ID_PATTERN);
  });

  it('differs by call, run, task and target', () => {
    const ids = [
      id({ callId: 'call_1' }),
      id({ callId: 'call_2' }),
      id({ callId: 'call_1', runId: 'r-1' }),
      id({ callId: 'call_1', runId: 'r-2' }),
      id({ callId: 'call_1', task: 't-1' }),
      id({ callId: 'call_1', to: 'support' }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('differs where the same call id comes up in runs that different handoffs started', () => {
    const api = handoffs();
    const inner = (key: string) =>
      api.accept(api.dispatch({ to: 'triage', from: 'desk', source, callId: key }), () =>
        agentRun('triage', () => api.dispatch({ to: 'billing', source, callId: 'call_1' }).id),
      );
    expect(inner('a')).not.toBe(inner('b'));
    expect(inner('a')).toBe(inner('a'));
  });

  it('is a UUIDv7 without a call id, rising within one millisecond', () => {
    const api = handoffs();
    const ids = Array.from({ length: 5_000 }, () => api.dispatch({ to: 'billing', source }).id);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is the application's own where it gives one, and a new one where that cannot be an id", () => {
    expect(id({ id: 'order:77' })).toBe('order:77');
    expect(id({ id: '-- no' })).toMatch(HANDOFF_ID_PATTERN);
    expect(otel.warnings().join()).toContain('`id` must match');
  });
});

describe('attempts and executions', () => {
  it('counts a dispatch of the same attempt as another execution, and one with a higher attempt as a new envelope', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      for (const attempt of [1, 1, 2]) handoffs.dispatch({ to: 'billing', source, callId: 'c', runId: 'r', attempt });
    });
    const spans = attributesOf('handoff billing');
    expect(new Set(spans.map((each) => each['seamtrace.handoff.id'])).size).toBe(1);
    expect(spans.map((each) => [each['seamtrace.handoff.attempt'], each['seamtrace.handoff.execution']])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(spans.map((each) => each['seamtrace.hop.index'])).toEqual([1, 1, 1]);
  });

  it('counts a redelivery as another execution at the destination', () => {
    const handoffs = createHandoffs({ contracts });
    const headers: Record<string, string> = {};
    agentRun('triage', () => handoffs.inject(handoffs.dispatch({ to: 'billing', source }), headers));
    for (let delivery = 0; delivery < 2; delivery += 1) {
      handoffs.accept(handoffs.extract(headers), () => agentRun('billing', () => handoffs.ingested(source)));
    }
    expect(attributesOf('invoke_agent billing').map((each) => each['seamtrace.handoff.execution'])).toEqual([1, 2]);
    expect(attributesOf('ingest triage_to_billing').map((each) => each['seamtrace.handoff.execution'])).toEqual([1, 2]);
  });

  it('keeps index, limit and task over attempts and retries outside of every run', () => {
    const handoffs = createHandoffs({ contracts });
    const first = handoffs.dispatch({ to: 'billing', from: 'triage', source, id: 'first' });
    handoffs.dispatch({ to: 'billing', from: 'triage', source, id: 'first', attempt: 2 });
    handoffs.dispatch({ to: 'support', from: 'triage', source, retryOf: first });
    const [one, two] = attributesOf('handoff billing');
    const [retry] = attributesOf('handoff support');
    for (const each of [two, retry]) {
      expect(each).toMatchObject({
        'seamtrace.hop.index': 1,
        'seamtrace.hop.limit': 6,
        'seamtrace.task.id': one?.['seamtrace.task.id'],
      });
    }
    expect(retry).toMatchObject({ 'seamtrace.handoff.retry_of': 'first', 'seamtrace.hop.path': ['triage', 'support'] });
  });
});

describe('tasks and hops', () => {
  it('fixes the limit at the first dispatch of a task, for all its dispatches', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      handoffs.dispatch({ to: 'support', source });
      handoffs.dispatch({ to: 'billing', source });
    });
    expect(attributesOf('handoff billing')[0]?.['seamtrace.hop.limit']).toBe(3);
  });

  it('gives parallel subtasks their own ids and limits under one parent', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      handoffs.dispatch({ to: 'billing', source, task: 't.1' });
      handoffs.dispatch({ to: 'support', source, task: 't.2' });
      handoffs.dispatch({ to: 'billing', source, task: 't.2' });
    });
    const root = otel.span('invoke_agent triage').attributes['seamtrace.task.id'];
    const tasks = [...attributesOf('handoff billing'), ...attributesOf('handoff support')];
    expect(tasks.map((each) => [each['seamtrace.task.id'], each['seamtrace.hop.limit']])).toEqual([
      ['t.1', 6],
      ['t.2', 3],
      ['t.2', 3],
    ]);
    expect(tasks.every((each) => each['seamtrace.task.parent.id'] === root)).toBe(true);
    expect(tasks.every((each) => each['seamtrace.correlation.id'] === root)).toBe(true);
  });

  it('takes the task that the application put on its run, and the hop with it', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => toolCall('before', () => undefined));
    const tracer = 'seamtrace.task.id';
    expect(otel.span('execute_tool before').attributes[tracer]).toBe(
      otel.span('invoke_agent triage').attributes[tracer],
    );
    handoffs.accept(handoffs.dispatch({ to: 'triage', from: 'desk', source, task: 'T-9' }), () =>
      agentRun('triage', () => handoffs.dispatch({ to: 'billing', source })),
    );
    expect(attributesOf('handoff billing')[0]).toMatchObject({
      'seamtrace.task.id': 'T-9',
      'seamtrace.hop.path': ['desk', 'triage', 'billing'],
      'seamtrace.hop.index': 2,
    });
    // The limit of the task was fixed by a route that named none.
    expect(attributesOf('handoff billing')[0]).not.toHaveProperty('seamtrace.hop.limit');
  });

  it('puts the agent that really took a misrouted handoff on the path', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () =>
      handoffs.accept(handoffs.dispatch({ to: 'billing', source }), () =>
        agentRun('support', () => handoffs.dispatch({ to: 'archive', source })),
      ),
    );
    expect(attributesOf('handoff archive')[0]?.['seamtrace.hop.path']).toEqual(['triage', 'support', 'archive']);
  });
});

describe('the contract of a dispatch', () => {
  it('is none where none or several routes are declared, and says which name to pass', () => {
    const handoffs = createHandoffs({ contracts });
    handoffs.dispatch({ from: 'billing', to: 'archive', source });
    handoffs.dispatch({ from: 'support', to: 'billing', source });
    for (const each of [...attributesOf('handoff archive'), ...attributesOf('handoff billing')]) {
      expect(each).not.toHaveProperty('seamtrace.handoff.route');
      expect(each).not.toHaveProperty('seamtrace.contract.required_keys');
      expect(each['seamtrace.payload.keys']).toEqual(['customer_id']);
    }
    expect(otel.warnings()).toEqual([expect.stringContaining('support_a, support_b')]);
  });

  it('is not guessed from the target when who hands over is not known', () => {
    const handoffs = createHandoffs({ contracts });
    const { payload } = handoffs.dispatch({ to: 'billing', source });
    expect(payload).toBe(source);
    expect(attributesOf('handoff billing')[0]).not.toHaveProperty('seamtrace.handoff.route');
    expect(otel.warnings().join()).toContain('pass `from`');
  });

  it('keeps the target that the route decision names, whatever the route declares', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => handoffs.dispatch({ to: 'support', route: 'triage_to_billing', source }));
    expect(attributesOf('handoff support')[0]).toMatchObject({
      'seamtrace.handoff.route': 'triage_to_billing',
      'seamtrace.handoff.target.name': 'support',
      'seamtrace.contract.version': '2',
    });
  });
});

describe('payload', () => {
  it('is captured as it is where the application packs it', () => {
    const handoffs = createHandoffs({ contracts });
    const payload = { customer_id: 1, extra: 2 };
    const handoff = agentRun('triage', () => handoffs.dispatch({ to: 'billing', source, payload }));
    expect(handoff.payload).toBe(payload);
    expect(attributesOf('handoff billing')[0]?.['seamtrace.payload.keys']).toEqual(['customer_id', 'extra']);
  });

  it('proves nothing where it is text, and is read where it is JSON', () => {
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () => {
      handoffs.dispatch({ to: 'billing', source, payload: 'please settle it' });
      handoffs.dispatch({ to: 'billing', source, payload: '{"customer_id":1}' });
      handoffs.dispatch({ to: 'billing', source, payload: { customer_id: 1 }, channel: 'text' });
    });
    const unseen = { 'seamtrace.payload.complete': false, 'seamtrace.payload.incomplete_reason': 'unsupported' };
    expect(attributesOf('handoff billing')).toMatchObject([
      {
        ...unseen,
        'seamtrace.payload.channel': 'text',
        'seamtrace.payload.size': 16,
        'seamtrace.payload.text_size': 16,
      },
      { 'seamtrace.payload.channel': 'envelope', 'seamtrace.payload.complete': true, 'seamtrace.payload.size': 17 },
      { ...unseen, 'seamtrace.payload.channel': 'text' },
    ]);
  });

  it('gives keyed digests of the state record and of values only with a secret, and never a value', () => {
    const guarded = createContracts({
      routes: {
        r: {
          from: 'triage',
          to: 'billing',
          state_ref: 'record.id',
          versions: { '1': { required: ['amount'], permitted: ['amount', 'record.id'], integrity: ['amount'] } },
        },
      },
    });
    const state = { amount: 4711, record: { id: 'record-55' } };
    for (const secret of [undefined, 'key']) {
      const handoffs = createHandoffs({ contracts: guarded, secret });
      agentRun('triage', () => {
        const handoff = handoffs.dispatch({ to: 'billing', source: state, goal: 'the goal in words' });
        handoffs.accept(handoff, () =>
          agentRun('billing', () => handoffs.ingested({ amount: 4712, record: { id: 'record-56' } })),
        );
      });
    }
    const [without, withSecret] = attributesOf('invoke_agent billing');
    expect(Object.keys(without ?? {}).filter((key) => /state_ref|value_digests|goal/.test(key))).toEqual([]);
    expect(withSecret?.['seamtrace.payload.state_ref']).toBe(withSecret?.['seamtrace.source.state_ref']);
    expect(withSecret?.['seamtrace.destination.state_ref']).not.toBe(withSecret?.['seamtrace.payload.state_ref']);
    expect(withSecret?.['seamtrace.source.value_digests']).toEqual(withSecret?.['seamtrace.payload.value_digests']);
    expect(withSecret?.['seamtrace.destination.value_digests']).toEqual([
      expect.stringMatching(/^amount=hmac-sha256:/),
    ]);
    expect(withSecret?.['seamtrace.destination.value_digests']).not.toEqual(
      withSecret?.['seamtrace.payload.value_digests'],
    );
    const everything = JSON.stringify(
      otel.spans().map((span) => [span.name, span.attributes, span.events, span.status]),
    );
    expect(everything).not.toMatch(/4711|4712|record-5|goal in words/);
  });
});

it('does nothing but build payloads when it is disabled', () => {
  process.env.SEAMTRACE_DISABLED = 'true';
  try {
    const handoffs = createHandoffs({ contracts, enforce: 'enforce' });
    const headers: Record<string, string> = {};
    const handoff = agentRun('triage', () => handoffs.dispatch({ to: 'billing', source: { customer_id: 1, more: 2 } }));
    handoffs.inject(handoff, headers);
    handoffs.accept(handoff, () => handoffs.ingested({}));
    expect(handoff.payload).toEqual({ customer_id: 1 });
    expect(() => handoffs.dispatch({ from: 'triage', to: 'billing', source: {} })).not.toThrow();
    expect(headers).toEqual({});
    expect(otel.spans().map((span) => span.name)).toEqual(['invoke_agent triage']);
  } finally {
    delete process.env.SEAMTRACE_DISABLED;
  }
});

it.each([
  undefined,
  null,
  5,
  {},
  { to: 7 },
  { to: '', source },
  { to: 'billing', attempt: -1, mode: 'gift', kind: 1, task: 9 },
])('takes bad options without an exception: %j', (options) => {
  const handoff = createHandoffs({ contracts }).dispatch(options as never);
  expect(handoff.id).toMatch(HANDOFF_ID_PATTERN);
  expect(handoff.attempt).toBe(1);
});

it('names the versions that a route has, where the one given is none of them', () => {
  createHandoffs({ contracts }).dispatch({ from: 'triage', to: 'billing', version: '9', source });
  expect(otel.warnings()).toEqual([expect.stringMatching(/triage_to_billing has no version "9" \(known: 2\)/)]);
});

it('warns once through diag that digests are off', () => {
  const version = { required: ['customer_id'], integrity: ['customer_id'] };
  const digested = createContracts({
    routes: { r: { from: 'a', to: 'b', current: '1', versions: { '1': version } } },
  });
  createHandoffs({ contracts: digested });
  createHandoffs({ contracts: digested });
  expect(otel.warnings()).toEqual([expect.stringMatching(/SEAMTRACE_SECRET is not set.*route r /)]);
});
