import { putBounded } from '../runtime/bounded.js';
import { MAX_TASKS, runtime } from '../runtime/state.js';
import { newHandoffId } from './id.js';
import type { Hop, TaskIdentity } from './state.js';

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
 * A subtask with an id of its own. It continues the chain by which its parent came here, its path, limit and correlation,
 * so that no limit is escaped by splitting work; where the parent began here, its first dispatch fixes a limit of its own.
 */
export function subtask(parent: Task, identity: TaskIdentity): Task {
  const limit = parent.hop === undefined ? { value: undefined, fixed: false } : parent.limit;
  return { ...parent, limit, identity: { parentId: parent.identity.id, ...identity } };
}

/** The task that the application names, within the one at hand if any. Naming it again gives the same limit. */
export function namedTask(identity: TaskIdentity, within: Task | undefined): Task {
  if (identity.id === within?.identity.id) {
    return identity.owner === undefined ? within : { ...within, identity: { ...within.identity, ...identity } };
  }
  const { tasks } = runtime();
  const key = JSON.stringify([within?.identity.id, identity.id]);
  const known = tasks.get(key);
  const begun = within === undefined ? { ...beginTask(identity.id), identity } : subtask(within, identity);
  const task = known === undefined || begun.hop !== undefined ? begun : { ...begun, limit: known.limit };
  putBounded(tasks, key, task, MAX_TASKS);
  return task;
}
