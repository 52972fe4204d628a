import type { Hop, TaskIdentity } from './state.js';
import { newHandoffId } from './id.js';

/** A task as this process follows it. Shared by all dispatches that serve the task, so that they agree on the limit. */
export interface Task {
  readonly identity: TaskIdentity;
  readonly correlationId: string;
  /** The hop limit, fixed by the task's first dispatch: `fixed` stays true when that dispatch named none. */
  readonly limit: { value: number | undefined; fixed: boolean };
  /** The hop by which the task came here; `undefined` at the agent that began it. */
  readonly hop: Hop | undefined;
}

/** The task of a run that no handoff started. */
export function beginTask(id: string | undefined, correlationId?: string): Task {
  const identity = { id: id ?? newHandoffId() };
  return {
    identity,
    correlationId: correlationId ?? identity.id,
    limit: { value: undefined, fixed: false },
    hop: undefined,
  };
}

/** The task that a handoff brought. Its limit was fixed where the task began, also when it has none. */
export function carriedTask(
  identity: TaskIdentity | undefined,
  correlationId: string | undefined,
  hop: Hop | undefined,
): Task {
  const known = identity ?? { id: newHandoffId() };
  return {
    identity: known,
    correlationId: correlationId ?? known.id,
    limit: { value: hop?.limit, fixed: hop !== undefined },
    hop,
  };
}

/**
 * A subtask with an id of its own. It continues the parent's chain: correlation, path and limit are the parent's, so that
 * no limit is escaped by splitting work.
 */
export function subtask(parent: Task, identity: TaskIdentity): Task {
  return { ...parent, identity: { parentId: parent.identity.id, ...identity } };
}
