/** A seeded source of choices: the same seed makes the same choices, so that a failing run can be repeated. */
export interface Random {
  /** A number from 0 up to 1, 1 excluded. */
  next(): number;
  /** A whole number from 0 up to `limit`, `limit` excluded. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Each item with the given probability, in the order they came. */
  some<T>(items: readonly T[], probability: number): T[];
  shuffled<T>(items: readonly T[]): T[];
}

/** mulberry32: small, and good enough to choose with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]): T => items[below(items.length)]!,
    some: <T>(items: readonly T[], probability: number): T[] => items.filter(() => next() < probability),
    shuffled<T>(items: readonly T[]): T[] {
      const copy = [...items];
      for (let last = copy.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [copy[last], copy[other]] = [copy[other]!, copy[last]!];
      }
      return copy;
    },
  };
}

/** The seed of a run: the one asked for, else a new one. */
export function seedOf(asked: string | undefined): number {
  const seed = asked === undefined ? Date.now() % 2 ** 31 : Number(asked);
  if (!Number.isInteger(seed) || seed < 0) throw new Error(`a seed is a whole number from 0 up, not ${asked}`);
  return seed;
}
