import { putBounded } from '../runtime/bounded.js';
import { type KnownHandoff, MAX_KNOWN_HANDOFFS, runtime } from '../runtime/state.js';
import { attemptKey, type HandoffState } from './state.js';

/**
 * The process's memory of one attempt, made when it is first seen: what execution was dispatched and accepted last, and by
 * which run. The oldest of 2,048 attempts is forgotten; its next execution then counts as a first one.
 */
export function rememberHandoff(state: HandoffState): KnownHandoff {
  const { known } = runtime();
  const key = attemptKey(state.id, state.attempt);
  const entry = known.get(key) ?? { state, dispatchedExecution: 0, acceptedExecution: 0, dispatchedBy: undefined };
  // Forgetting is the normal end of an entry, so it is counted without a word.
  if (putBounded(known, key, entry, MAX_KNOWN_HANDOFFS) !== undefined) runtime().counters.known_handoff_forgotten += 1;
  return entry;
}

/** The latest attempt of an id that this process knows, not above `maxAttempt`. At most 16 attempts are looked through. */
export function latestKnown(id: string, maxAttempt = 16): HandoffState | undefined {
  const { known } = runtime();
  for (let attempt = maxAttempt; attempt >= 1 && attempt > maxAttempt - 16; attempt -= 1) {
    const entry = known.get(attemptKey(id, attempt));
    if (entry !== undefined) return entry.state;
  }
  return undefined;
}
