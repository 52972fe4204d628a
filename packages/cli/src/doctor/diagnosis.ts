import type { Diagnosis } from './types.js';

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 80;

/** What was met, gathered by service and by what it says, each with a count and a few places. */
export interface Tally {
  /** Notes one more. */
  readonly add: (service: string | null, example: string | undefined, what: Met) => void;
  readonly diagnoses: () => readonly Diagnosis[];
}

export type Met = Pick<Diagnosis, 'id' | 'severity' | 'what' | 'fix'>;

export function createTally(): Tally {
  const met = new Map<
    string,
    { readonly first: Met; readonly service: string | null; count: number; examples: Set<string> }
  >();
  return {
    add(service, example, what) {
      const key = JSON.stringify([service, what.id, what.what]);
      const entry = met.get(key) ?? { first: what, service, count: 0, examples: new Set<string>() };
      met.set(key, entry);
      entry.count += 1;
      if (example !== undefined && entry.examples.size < MAX_EXAMPLES) entry.examples.add(shorten(example));
    },
    diagnoses: () =>
      [...met.values()].map(({ first, service, count, examples }) => ({
        ...first,
        service,
        count,
        examples: [...examples],
      })),
  };
}

function shorten(text: string): string {
  return text.length <= MAX_EXAMPLE_LENGTH ? text : `${text.slice(0, MAX_EXAMPLE_LENGTH - 1)}…`;
}
