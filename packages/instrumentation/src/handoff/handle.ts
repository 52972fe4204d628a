import type { Context } from '@opentelemetry/api';
import { type Handle, runtime } from '../runtime/state.js';
import { attemptKey, type HandoffState } from './state.js';

/** One dispatched handoff. Send `payload`; carry the handoff itself with `inject`, or give it to `accept` directly. */
export interface Handoff<P = unknown> {
  readonly id: string;
  /** 1 unless the envelope was built again. */
  readonly attempt: number;
  readonly payload: P;
}

/** One handoff as it arrived in a carrier. */
export interface Received {
  readonly id: string;
  readonly attempt: number;
  /** What the sender stated, where it stated it. */
  readonly route: string | undefined;
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly taskId: string | undefined;
}

/** The application's handle of a dispatch. One that was not recorded is known by its payload only. */
export function createHandle<P>(state: HandoffState, payload: P, recorded: boolean): Handoff<P> {
  const handle: Handoff<P> = Object.freeze({ id: state.id, attempt: state.attempt, payload });
  if (recorded) runtime().handles.set(handle, { state });
  return handle;
}

/** The application's handle of what a carrier brought. */
export function createReceived(state: HandoffState, remote?: Context): Received {
  const received: Received = Object.freeze({
    id: state.id,
    attempt: state.attempt,
    route: state.route,
    source: state.source?.name,
    target: state.target?.name,
    taskId: state.task?.id,
  });
  runtime().handles.set(received, { state, remote });
  return received;
}

/**
 * What stands behind a handle, also behind a copy of one (as from an in-process queue that clones) while this process
 * remembers the attempt. `undefined` for anything else.
 */
export function stateBehind(handle: unknown): Handle | undefined {
  if (typeof handle !== 'object' || handle === null) return undefined;
  const { handles, known } = runtime();
  const own = handles.get(handle);
  if (own !== undefined) return own;
  const { id, attempt } = handle as Partial<Handoff>;
  if (typeof id !== 'string') return undefined;
  const entry = known.get(attemptKey(id, typeof attempt === 'number' ? attempt : 1));
  return entry === undefined ? undefined : { state: entry.state };
}
