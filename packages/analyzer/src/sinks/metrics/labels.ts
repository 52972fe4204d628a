/** Stands for every value of a label beyond its cap. */
export const OTHER = '_other';
/** The label of a route that the contract file does not declare. */
export const UNDECLARED = '_undeclared';
/** The label of a fact that no span stated. */
export const UNKNOWN = '_unknown';

/** Names longer than this are nobody's agent or key; one of them must not fill the exposition. */
const MAX_VALUE_CHARACTERS = 128;

/** Labels whose values come from closed sets of the registry or of this service, so that spans cannot make new ones. */
const CLOSED: ReadonlySet<string> = new Set([
  'verdict',
  'boundary',
  'evidence',
  'kind',
  'reason',
  'hop',
  'outcome',
  'finding',
  'replanned',
  'from',
  'to',
  'transport',
  'encoding',
  'code',
  'exit',
  'sink',
  'label',
  'version',
]);

export interface LabelGuard {
  /** The value to record for a label of a metric: the value itself, or `_other` beyond the cap or where it is too long. */
  admit(metric: string, label: string, value: string): string;
  /** Values that always have their place, such as declared routes; they do not count towards the cap. */
  reserve(label: string, values: Iterable<string>): void;
}

/** Caps how many values each open label of each metric can have; `overflowed` is told the label each time it did. */
export function createLabelGuard(maxValues: number, overflowed: (label: string) => void): LabelGuard {
  const reserved = new Map<string, Set<string>>();
  const seen = new Map<string, Map<string, Set<string>>>();

  function seenOf(metric: string, label: string): Set<string> {
    const labels = seen.get(metric) ?? new Map<string, Set<string>>();
    const values = labels.get(label) ?? new Set<string>();
    seen.set(metric, labels.set(label, values));
    return values;
  }

  return {
    admit(metric, label, value) {
      if (CLOSED.has(label) || reserved.get(label)?.has(value) === true) return value;
      const values = seen.get(metric)?.get(label) ?? seenOf(metric, label);
      if (values.has(value)) return value;
      if (values.size >= maxValues || value.length > MAX_VALUE_CHARACTERS) {
        overflowed(label);
        return OTHER;
      }
      values.add(value);
      return value;
    },
    reserve(label, values) {
      reserved.set(label, new Set([...(reserved.get(label) ?? []), ...values]));
    },
  };
}
