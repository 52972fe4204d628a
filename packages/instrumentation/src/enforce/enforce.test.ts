import { createContracts, HandoffContractError } from '@seamtrace/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentRun, type OtelHarness, startOtel } from '../../test/otel-harness.js';
import { createHandoffs } from '../create-handoffs.js';
import type { EnforceOverride } from './mode.js';

const contractsWith = (enforce: {
  producer?: 'observe' | 'warn' | 'enforce';
  consumer?: 'observe' | 'warn' | 'enforce';
}) =>
  createContracts({
    routes: {
      triage_to_billing: {
        from: 'triage',
        to: 'billing',
        purpose: 'settle an invoice question',
        on_violation: 'ask',
        version: '2',
        required: ['customer_id', 'order.lines[].sku'],
        permitted: ['customer_id', 'order'],
        enforce,
      },
    },
  });
const whole = { customer_id: 'c', order: { lines: [{ sku: 1 }] } };

let otel: OtelHarness;
beforeEach(() => {
  otel = startOtel();
});
afterEach(() => otel.stop());

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('the producer side', () => {
  const attempt = (
    enforce: 'observe' | 'warn' | 'enforce',
    source: unknown,
    payload?: unknown,
    override?: EnforceOverride,
  ) => {
    const handoffs = createHandoffs({ contracts: contractsWith({ producer: enforce }), enforce: override });
    return thrownBy(() =>
      agentRun('triage', () =>
        handoffs.dispatch({ to: 'billing', source, ...(payload === undefined ? {} : { payload }) }),
      ),
    );
  };

  it('refuses before dispatch when the source lacks a required key, and records it', () => {
    const error = attempt('enforce', { order: whole.order });
    expect(error).toBeInstanceOf(HandoffContractError);
    expect(error).toMatchObject({
      code: 'SEAMTRACE_SOURCE_INCOMPLETE',
      keys: ['customer_id'],
      route: 'triage_to_billing',
      version: '2',
      onViolation: 'ask',
    });
    const span = otel.span('handoff billing');
    expect(span.attributes).toMatchObject({
      'seamtrace.dispatch.outcome': 'prevented',
      'seamtrace.source.keys': ['order', 'order.lines[].sku'],
      'seamtrace.source.complete': true,
      'error.type': 'SEAMTRACE_SOURCE_INCOMPLETE',
    });
    expect(span.status.code).toBe(2);
    expect(otel.span('invoke_agent triage').attributes).not.toHaveProperty('seamtrace.handoff.dispatched_ids');
  });

  it('refuses differently when the source has the key and what is sent lacks it', () => {
    expect(attempt('enforce', whole, { customer_id: 1, order: { lines: [{}] } })).toMatchObject({
      code: 'SEAMTRACE_PROJECTION_INCOMPLETE',
      keys: ['order.lines[].sku'],
      message: expect.stringMatching(/^the payload handed over lacks .*what packs or filters the payload$/) as string,
      askText: expect.stringMatching(/to billing was not made: the payload handed over lacks/) as string,
    });
    expect(otel.span('handoff billing').attributes).toMatchObject({
      'seamtrace.dispatch.outcome': 'prevented',
      'seamtrace.payload.keys': ['customer_id', 'order'],
    });
  });

  it('refuses a contract that contradicts itself', () => {
    const contradictory = createContracts({
      routes: { r: { from: 'a', to: 'b', required: ['x', 'y'], permitted: ['x'], enforce: { producer: 'enforce' } } },
    });
    const handoffs = createHandoffs({ contracts: contradictory });
    const error = thrownBy(() => handoffs.dispatch({ from: 'a', to: 'b', source: { x: 1, y: 2 } }));
    expect(error).toMatchObject({
      code: 'SEAMTRACE_PROJECTION_INCOMPLETE',
      keys: ['y'],
      message: expect.stringContaining('permit them, or correct the migration') as string,
    });
  });

  it('dispatches and warns, or dispatches and observes', () => {
    expect(attempt('warn', { order: whole.order })).toBeUndefined();
    expect(otel.warnings()).toEqual([expect.stringContaining('customer_id')]);
    expect(attempt('observe', { order: whole.order })).toBeUndefined();
    expect(otel.warnings()).toHaveLength(1);
    const outcomes = otel.spansNamed('handoff billing').map((span) => span.attributes['seamtrace.dispatch.outcome']);
    expect(outcomes).toEqual(['dispatched', 'dispatched']);
  });

  it('refuses nothing that was not completely observed', () => {
    class Account {
      get customer_id() {
        return 'never read';
      }
      order = whole.order;
    }
    expect(attempt('enforce', new Account(), whole)).toBeUndefined();
    expect(attempt('enforce', new Proxy(whole, {}), whole)).toBeUndefined();
    expect(attempt('enforce', whole, 'a text')).toBeUndefined();
  });

  it('names what the builder could not read, rather than blaming the contract', () => {
    const source = Object.defineProperty({ order: whole.order }, 'customer_id', { get: () => 1, enumerable: true });
    expect(attempt('enforce', source)).toMatchObject({
      code: 'SEAMTRACE_SOURCE_INCOMPLETE',
      keys: ['customer_id'],
      unreadable: ['customer_id'],
    });
    expect(otel.span('handoff billing').attributes).toMatchObject({
      'seamtrace.source.complete': false,
      'seamtrace.source.incomplete_reason': 'unsupported',
    });
  });

  it('follows an override, for one side or both', () => {
    expect(attempt('enforce', {}, undefined, 'observe')).toBeUndefined();
    expect(attempt('observe', {}, undefined, { producer: 'enforce' })).toBeInstanceOf(HandoffContractError);
    expect(attempt('enforce', {}, undefined, { consumer: 'observe' })).toBeInstanceOf(HandoffContractError);
    process.env.SEAMTRACE_ENFORCE = 'observe';
    try {
      expect(attempt('enforce', {})).toBeUndefined();
    } finally {
      delete process.env.SEAMTRACE_ENFORCE;
    }
  });
});

describe('the consumer side', () => {
  const take = (enforce: 'observe' | 'warn' | 'enforce', state: unknown) => {
    const handoffs = createHandoffs({ contracts: contractsWith({ consumer: enforce }) });
    return thrownBy(() =>
      agentRun('triage', () => {
        const handoff = handoffs.dispatch({ to: 'billing', source: whole });
        handoffs.accept(handoff, () => agentRun('billing', () => handoffs.ingested(state)));
      }),
    );
  };
  const both = () => [otel.span('ingest triage_to_billing'), otel.span('invoke_agent billing')];

  it('rejects, names every violation, and throws in ingested()', () => {
    const error = take('enforce', { order: { lines: [{ sku: 1 }, {}] } });
    expect(error).toBeInstanceOf(HandoffContractError);
    expect(error).toMatchObject({
      code: 'SEAMTRACE_INGEST_REJECTED',
      keys: ['customer_id', 'order.lines[].sku'],
      route: 'triage_to_billing',
      version: '2',
    });
    for (const span of both()) {
      expect(span.attributes).toMatchObject({
        'seamtrace.ingest.outcome': 'rejected',
        'seamtrace.ingest.violations': ['/customer_id required', '/order/lines/*/sku required'],
        'seamtrace.destination.complete': true,
      });
    }
    expect(otel.span('ingest triage_to_billing').status.code).toBe(2);
  });

  it('takes it with a warning, or as it is', () => {
    expect(take('warn', { order: whole.order })).toBeUndefined();
    for (const span of both()) {
      expect(span.attributes).toMatchObject({
        'seamtrace.ingest.outcome': 'warned',
        'seamtrace.ingest.violations': ['/customer_id required'],
      });
      expect(span.status.code).toBe(0);
    }
    expect(otel.warnings()).toEqual([expect.stringContaining('customer_id')]);
  });

  it('observes without a judgement of its own', () => {
    expect(take('observe', { order: whole.order })).toBeUndefined();
    for (const span of both()) {
      expect(span.attributes['seamtrace.ingest.outcome']).toBe('accepted');
      expect(span.attributes).not.toHaveProperty('seamtrace.ingest.violations');
    }
  });

  it('rejects nothing that was not completely observed', () => {
    expect(take('enforce', new Proxy({}, {}))).toBeUndefined();
    expect(take('enforce', 'a transcript')).toBeUndefined();
    expect(take('enforce', undefined)).toBeUndefined();
  });
});

it('enforces on both sides while the tracer fails', () => {
  const tracerProvider = {
    getTracer: () => {
      throw new Error('boom');
    },
  };
  const contracts = contractsWith({ producer: 'enforce', consumer: 'enforce' });
  const handoffs = createHandoffs({ contracts, tracerProvider });
  expect(() => handoffs.dispatch({ from: 'triage', to: 'billing', source: {} })).toThrow(HandoffContractError);
  const working = createHandoffs({ contracts });
  const handoff = working.dispatch({ from: 'triage', to: 'billing', source: whole });
  expect(() => working.accept(handoff, () => handoffs.ingested({}))).toThrow(HandoffContractError);
});

describe('a run that fails', () => {
  const handoffs = () => createHandoffs({ contracts: contractsWith({}) });

  it('passes its error on as it is, and marks a run that would go on as if nothing had happened', async () => {
    const api = handoffs();
    const failure = new Error('tool down');
    const headers: Record<string, string> = {};
    agentRun('triage', () => api.inject(api.dispatch({ to: 'billing', source: whole }), headers));
    await agentRun('billing', async () => {
      await expect(api.accept(api.extract(headers), () => Promise.reject(failure))).rejects.toBe(failure);
    });
    const billing = otel.span('invoke_agent billing');
    expect(billing.status).toEqual({ code: 2 });
    expect(billing.attributes).toMatchObject({
      'seamtrace.destination.complete': false,
      'seamtrace.destination.incomplete_reason': 'error',
    });
  });

  it('leaves a status that the application set', () => {
    const api = handoffs();
    const headers: Record<string, string> = {};
    agentRun('triage', () => api.inject(api.dispatch({ to: 'billing', source: whole }), headers));
    agentRun('billing', (span) => {
      span.setStatus({ code: 1 });
      expect(
        thrownBy(() =>
          api.accept(api.extract(headers), () => {
            throw new RangeError('x');
          }),
        ),
      ).toBeInstanceOf(RangeError);
    });
    expect(otel.span('invoke_agent billing').status.code).toBe(1);
  });
});
