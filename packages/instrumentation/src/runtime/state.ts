import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';
import type { AcceptFrame } from '../accept/frame.js';
import type { HandoffState } from '../handoff/state.js';
import type { Task } from '../handoff/task.js';
import type { SpanRecord } from '../processor/span-record.js';
import { createCounters, type Counters } from './counters.js';

/** What this process knows of a handoff after it was dispatched or accepted here, by id and attempt. */
export interface KnownHandoff {
  state: HandoffState;
  /** The highest execution this process dispatched; 0 when it never did. */
  dispatchedExecution: number;
  /** The highest execution this process accepted; 0 when it never did. */
  acceptedExecution: number;
  /** The `invoke_agent` span that dispatched it: a run never becomes the destination of its own handoff. */
  dispatchedBy: WeakRef<object> | undefined;
}

/** What stands behind a handle. */
export interface Handle {
  readonly state: HandoffState;
  /** The producer's trace context and baggage, where a carrier brought them. */
  readonly remote?: Context | undefined;
}

/**
 * The state that every loaded copy of this package shares: the ESM build, the CommonJS build, and copies of other
 * versions under nested `node_modules`. It holds data only, so that each copy brings its own functions; the symbol's
 * version changes when the shape does.
 */
export interface Runtime {
  readonly spans: WeakMap<object, SpanRecord>;
  /** What stands behind each `Handoff` and `Received` handed to the application. */
  readonly handles: WeakMap<object, Handle>;
  /** Tasks that the application named, so that all their dispatches share one limit. */
  readonly tasks: Map<string, Task>;
  readonly known: Map<string, KnownHandoff>;
  /** Carries the frame of `accept` only while no context manager is registered. */
  readonly frames: AsyncLocalStorage<AcceptFrame>;
  readonly counters: Counters;
  readonly warned: Set<string>;
  readonly uuid: { lastMs: number; sequence: number };
  /** The application made a handoff API: it may tell by `ingested` what an agent took in. */
  handoffApi?: boolean;
}

const RUNTIME_SYMBOL = Symbol.for('seamtrace.instrumentation.v1');

/** How many handoffs of this process are remembered for redelivery and re-execution. The oldest is forgotten first. */
export const MAX_KNOWN_HANDOFFS = 2_048;

/** How many tasks that the application named are remembered. The oldest is forgotten first. */
export const MAX_TASKS = 10_000;

type Host = { [RUNTIME_SYMBOL]?: Runtime };

/** The process-wide state, made by whichever copy of this package asks first. */
export function runtime(): Runtime {
  const host = globalThis as Host;
  const existing = host[RUNTIME_SYMBOL];
  if (existing !== undefined) return existing;
  const created: Runtime = {
    spans: new WeakMap(),
    handles: new WeakMap(),
    tasks: new Map(),
    known: new Map(),
    frames: new AsyncLocalStorage(),
    counters: createCounters(),
    warned: new Set(),
    uuid: { lastMs: 0, sequence: 0 },
  };
  Object.defineProperty(globalThis, RUNTIME_SYMBOL, { value: created, enumerable: false, configurable: true });
  return created;
}
