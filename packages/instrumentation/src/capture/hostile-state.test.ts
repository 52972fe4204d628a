import { createContracts } from '@seamtrace/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentRun, type OtelHarness, startOtel } from '../../test/otel-harness.js';
import { createHandoffs } from '../create-handoffs.js';
import { readCounters } from '../runtime/report.js';

const contracts = createContracts({
  routes: {
    r: {
      from: 'triage',
      to: 'billing',
      state_ref: 'record.id',
      versions: { '1': { required: ['customer_id', 'items[].sku'], integrity: ['customer_id'] } },
    },
  },
});

let otel: OtelHarness;
beforeEach(() => {
  otel = startOtel();
});
afterEach(() => otel.stop());

let wide: object | undefined;
/** Built once: a million members take seconds on a busy machine. */
const millionKeys = (): object =>
  (wide ??= {
    ...Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`key_${index}`, index])),
    customer_id: 1,
    items: [],
  });

const boom = (): never => {
  throw new Error('user code ran');
};

function states(): [string, () => unknown][] {
  const cyclic: Record<string, unknown> = { customer_id: 1 };
  cyclic.self = cyclic;
  cyclic.items = [cyclic];
  const traps = Object.fromEntries(
    Reflect.ownKeys(Reflect)
      .filter((key) => typeof key === 'string')
      .map((key) => [key, boom]),
  );
  class Lazy {
    get customer_id() {
      return boom();
    }
    toJSON() {
      return boom();
    }
  }
  class OwnMap extends Map<unknown, unknown> {
    override get(): never {
      return boom();
    }
    override has(): never {
      return boom();
    }
    override [Symbol.iterator](): never {
      return boom();
    }
    override entries(): never {
      return boom();
    }
  }
  return [
    ['a cycle', () => cyclic],
    ['getters that throw', () => Object.defineProperty({}, 'customer_id', { get: boom, enumerable: true })],
    ['a getter on the prototype and toJSON', () => new Lazy()],
    ['a Proxy with every trap', () => new Proxy({}, traps)],
    ['a Proxy inside', () => ({ customer_id: new Proxy({}, traps), items: new Proxy([], traps) })],
    [
      'a revoked Proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
    ['a Map that overrides its methods', () => new OwnMap([['customer_id', 1]])],
    ['a million keys', millionKeys],
    ['a million elements', () => ({ customer_id: 1, items: Array.from({ length: 1_000_000 }, () => ({ sku: 1 })) })],
    [
      '__proto__ and constructor',
      () => JSON.parse('{"__proto__":{"customer_id":1},"constructor":1,"hasOwnProperty":2}') as unknown,
    ],
    ['no prototype', () => Object.assign(Object.create(null) as object, { customer_id: 1 })],
    [
      'deep nesting',
      () => {
        let at: object = {};
        for (let depth = 0; depth < 50_000; depth += 1) at = { a: at };
        return at;
      },
    ],
    ['a throwing Symbol.toStringTag', () => Object.defineProperty({}, Symbol.toStringTag, { get: boom })],
    ['a huge text', () => '{"a":'.repeat(400_000)],
    ['damaged JSON', () => '{"customer_id":'],
    ['null', () => null],
    ['undefined', () => undefined],
    ['a function', () => boom],
    ['a symbol', () => Symbol('s')],
    ['a bigint', () => 1n],
    ['a promise', () => Promise.resolve({ customer_id: 1 })],
    ['a list', () => [{ customer_id: 1 }]],
    ['a Date', () => new Date(Number.NaN)],
    ['a Buffer', () => Buffer.alloc(10)],
  ];
}

describe.each(states())('%s as state', (_name, make) => {
  it('raises nothing, runs no user code, and claims to be complete only where it was seen whole', () => {
    const failures = readCounters().internal_error;
    const handoffs = createHandoffs({ contracts, secret: 'k' });
    const state = make();
    const headers = {};
    const handoff = agentRun('triage', () => {
      const built = handoffs.dispatch({ to: 'billing', source: state });
      handoffs.dispatch({ to: 'billing', source: state, payload: state });
      handoffs.inject(built, headers);
      return built;
    });
    handoffs.accept(handoffs.extract(headers), () => agentRun('billing', () => handoffs.ingested(state)));
    expect(readCounters().internal_error).toBe(failures);

    const spans = [...otel.spansNamed('handoff billing'), otel.span('invoke_agent billing')];
    expect(spans).toHaveLength(3);
    for (const { attributes } of spans) {
      for (const stage of ['source', 'payload', 'destination']) {
        if (attributes[`seamtrace.${stage}.complete`] !== true) continue;
        const keys = attributes[`seamtrace.${stage}.keys`];
        expect(attributes[`seamtrace.${stage}.key_count`]).toBe((keys as string[]).length);
      }
    }
    expect(handoff.id).toBeDefined();
  });
});

it('says truncated of a million keys, with their number, and keeps the contract keys', () => {
  const handoffs = createHandoffs({ contracts });
  agentRun('triage', () => handoffs.dispatch({ to: 'billing', source: millionKeys(), payload: millionKeys() }));
  const { attributes } = otel.span('handoff billing');
  expect(attributes).toMatchObject({
    'seamtrace.source.complete': false,
    'seamtrace.source.incomplete_reason': 'truncated',
  });
  expect(attributes['seamtrace.source.key_count']).toBeGreaterThanOrEqual(1_000_002);
  expect(attributes['seamtrace.source.keys']).toContain('customer_id');
  expect(attributes['seamtrace.source.keys']).toHaveLength(256);
  // What cannot be known cheaply is left out.
  expect(attributes).not.toHaveProperty('seamtrace.payload.size');
});
