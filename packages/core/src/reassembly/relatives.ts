/** How far a family is followed. Beyond it a verdict may say `unknown` or `not_recovered`, never anything worse. */
const MAX_RELATED = 64;

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
  const originals = new Map<string, string>();
  const retries = new Map<string, Set<string>>();
  const none: ReadonlyMap<number, T> = new Map();

  function unlink(handoffId: string): void {
    const original = originals.get(handoffId);
    if (original === undefined) return;
    originals.delete(handoffId);
    const known = retries.get(original);
    known?.delete(handoffId);
    if (known?.size === 0) retries.delete(original);
  }

  function gather(handoffId: string, attempt: number, further: (id: string) => Iterable<string>): T[] {
    const ids = new Set([handoffId]);
    const members: T[] = [];
    for (const id of ids) {
      for (const [number, member] of attempts.get(id) ?? none) {
        if (id !== handoffId || number !== attempt) members.push(member);
        if (members.length >= MAX_RELATED) return members;
      }
      for (const next of further(id)) if (ids.size < MAX_RELATED) ids.add(next);
    }
    return members;
  }

  return {
    add(handoffId, attempt, member) {
      const family = attempts.get(handoffId) ?? new Map<number, T>();
      attempts.set(handoffId, family.set(attempt, member));
    },
    link(handoffId, original) {
      if (originals.get(handoffId) === original) return;
      unlink(handoffId);
      if (original === undefined || original === handoffId) return;
      originals.set(handoffId, original);
      const known = retries.get(original) ?? new Set<string>();
      retries.set(original, known.add(handoffId));
    },
    remove(handoffId, attempt) {
      const family = attempts.get(handoffId);
      family?.delete(attempt);
      if (family?.size !== 0) return;
      attempts.delete(handoffId);
      unlink(handoffId);
    },
    attemptsOf: (handoffId) => attempts.get(handoffId) ?? none,
    after: (handoffId, attempt) => gather(handoffId, attempt, (id) => retries.get(id) ?? []),
    before(handoffId, attempt) {
      return gather(handoffId, attempt, (id) => {
        const original = originals.get(id);
        return original === undefined ? [] : [original];
      });
    },
  };
}
