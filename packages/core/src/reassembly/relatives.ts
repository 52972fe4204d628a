import { createRetries, gatherFamily } from './retries.js';

/** Which attempts belong together: attempts of one handoff id, and handoffs that retry another under a new id. */
export interface Relatives<T> {
  add(handoffId: string, attempt: number, member: T): void;
  /** States that `handoffId` retries `original`; `undefined` takes an earlier statement back. */
  link(handoffId: string, original: string | undefined): void;
  remove(handoffId: string, attempt: number): void;
  attemptsOf(handoffId: string): ReadonlyMap<number, T>;
  /** Other attempts of the id, and all attempts of what retries it, directly or through others. */
  after(handoffId: string, attempt: number): readonly T[];
  /** Whom a change of this attempt may concern: the other attempts of the id, and all attempts of what it retries. */
  before(handoffId: string, attempt: number): readonly T[];
}

/** Everything is found through maps; circles of `retryOf` end where they began. */
export function createRelatives<T>(): Relatives<T> {
  const attempts = new Map<string, Map<number, T>>();
  const retries = createRetries();
  const none: ReadonlyMap<number, T> = new Map();
  const attemptsOf = (handoffId: string): ReadonlyMap<number, T> => attempts.get(handoffId) ?? none;
  return {
    add(handoffId, attempt, member) {
      const family = attempts.get(handoffId) ?? new Map<number, T>();
      attempts.set(handoffId, family.set(attempt, member));
    },
    link: retries.link,
    remove(handoffId, attempt) {
      const family = attempts.get(handoffId);
      family?.delete(attempt);
      if (family?.size !== 0) return;
      attempts.delete(handoffId);
      retries.link(handoffId, undefined);
    },
    attemptsOf,
    after: (handoffId, attempt) => gatherFamily({ handoffId, attempt, attemptsOf, further: retries.of }),
    before: (handoffId, attempt) => gatherFamily({ handoffId, attempt, attemptsOf, further: retries.originalOf }),
  };
}
