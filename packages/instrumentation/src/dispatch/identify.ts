import { deriveHandoffId, newHandoffId } from '../handoff/id.js';

/** What an id is derived from. */
export interface CallFacts {
  readonly callId: string | undefined;
  /** Run or thread id: call ids of models repeat across runs. */
  readonly runId: string | undefined;
  readonly taskId: string | undefined;
  /** Id of the handoff that started the dispatching run: the same when that run is executed again. */
  readonly startedBy: string | undefined;
  readonly target: string | undefined;
}

/**
 * The id of one dispatch to one target (wire contract, section 3). With a call id it is derived, so that the same call
 * executed again has the same id: from the call id, the target, and what the application says of the run: its run id,
 * else the task that it named, else the handoff that started it. Without a call id it is new.
 */
export function handoffId({ callId, runId, taskId, startedBy, target }: CallFacts): string {
  if (callId === undefined) return newHandoffId();
  const scope = runId ?? taskId ?? startedBy ?? '';
  return deriveHandoffId('h', [scope, callId, target ?? '']);
}
