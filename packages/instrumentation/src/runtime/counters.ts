/** Why something was dropped or shortened in this process. Each name is counted, none is ever reset. */
export const COUNTER_NAMES = [
  'header_absent',
  'header_too_long',
  'header_malformed',
  'header_shortened',
  'header_not_written',
  'baggage_malformed',
  'baggage_not_written',
  'card_identity',
  'card_skill',
  'card_authentication',
  'card_extension',
  'known_handoff_forgotten',
  'span_conflict',
  'span_limit',
  'internal_error',
] as const;

export type CounterName = (typeof COUNTER_NAMES)[number];
export type Counters = Record<CounterName, number>;

/** All counters at zero. */
export function createCounters(): Counters {
  return Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as Counters;
}
