import type { Hop } from './state.js';
import type { Task } from './task.js';

/** Longest path that is stated; beyond it only index and limit are, since a path that was cut would contradict them. */
export const MAX_PATH = 64;

/**
 * The hop of a dispatch that serves a task (wire contract, section 3). The first dispatch of the task fixes its limit;
 * later ones, other attempts and retries keep it. A return leg keeps the index of the hop that it answers.
 *
 * @param limit What the route's contract or the application offers as the task's limit.
 */
export function nextHop(task: Task, from: string | undefined, to: string, limit?: number): Hop {
  if (!task.limit.fixed) {
    task.limit.value = limit;
    task.limit.fixed = true;
  }
  const before = pathUpTo(task.hop, from);
  const path = before === undefined || before.length >= MAX_PATH ? undefined : [...before, to];
  return { path, index: (task.hop?.index ?? 0) + 1, limit: task.limit.value };
}

/** The hop of a further attempt or a retry: index and limit stay; the target may be another. */
export function rehop(hop: Hop, to: string): Hop {
  return { ...hop, path: hop.path === undefined ? undefined : [...hop.path.slice(0, -1), to] };
}

/** The hop of a return leg: the same index and limit as the forward leg, and no path, since nothing moved on. */
export function returnHop(forward: Hop | undefined): Hop | undefined {
  return forward === undefined ? undefined : { index: forward.index, limit: forward.limit };
}

/** The agents up to and with the one that hands over now: who really took the last hop, where that is known. */
function pathUpTo(hop: Hop | undefined, from: string | undefined): readonly string[] | undefined {
  if (hop === undefined) return from === undefined ? undefined : [from];
  if (hop.path === undefined || from === undefined) return hop.path;
  return [...hop.path.slice(0, -1), from];
}
