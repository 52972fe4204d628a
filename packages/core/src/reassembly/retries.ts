import { createShardedMap } from './sharded-map.js';

/** How far a family is followed. Beyond it a verdict may say `unknown` or `not_recovered`, never anything worse. */
const MAX_RELATED = 64;
/** Retries remembered of one original: more than are ever followed. */
const MAX_RETRIES = 16 * MAX_RELATED;

/** Which handoffs retry which, under new ids. */
export interface Retries {
  /** States that `handoffId` retries `original`; `undefined` takes an earlier statement back. */
  link(handoffId: string, original: string | undefined): void;
  /** The handoffs that retry this one. */
  of(handoffId: string): Iterable<string>;
  /** The handoff that this one retries: one or none. */
  originalOf(handoffId: string): Iterable<string>;
  /** Handoffs that retry another. */
  readonly size: number;
}

export function createRetries(): Retries {
  const originals = createShardedMap<string>();
  const retries = createShardedMap<Set<string>>();

  function unlink(handoffId: string): void {
    const original = originals.get(handoffId);
    if (original === undefined) return;
    originals.delete(handoffId);
    const known = retries.get(original);
    known?.delete(handoffId);
    if (known?.size === 0) retries.delete(original);
  }

  return {
    link(handoffId, original) {
      if (original === undefined && originals.size === 0) return;
      if (originals.get(handoffId) === original) return;
      unlink(handoffId);
      if (original === undefined || original === handoffId) return;
      const known = retries.get(original) ?? new Set<string>();
      if (known.size >= MAX_RETRIES) return;
      originals.set(handoffId, original);
      retries.set(original, known.add(handoffId));
    },
    of: (handoffId) => retries.get(handoffId) ?? [],
    originalOf(handoffId) {
      const original = originals.get(handoffId);
      return original === undefined ? [] : [original];
    },
    get size() {
      return originals.size;
    },
  };
}

export interface FamilyQuery<T> {
  readonly handoffId: string;
  readonly attempt: number;
  readonly attemptsOf: (handoffId: string) => Iterable<readonly [attempt: number, member: T]>;
  readonly further: (handoffId: string) => Iterable<string>;
}

/** The other attempts of a handoff, and all attempts of those that `further` leads to; at most {@link MAX_RELATED}. */
export function gatherFamily<T>({ handoffId, attempt, attemptsOf, further }: FamilyQuery<T>): T[] {
  const ids = new Set([handoffId]);
  const members: T[] = [];
  for (const id of ids) {
    for (const [number, member] of attemptsOf(id)) {
      if (id !== handoffId || number !== attempt) members.push(member);
      if (members.length >= MAX_RELATED) return members;
    }
    for (const next of further(id)) if (ids.size < MAX_RELATED) ids.add(next);
  }
  return members;
}
