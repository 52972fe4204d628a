/** What a client wrote about one stage on one span: the keys it saw, and what was wrong with the capture, if anything. */
export interface Capture {
  readonly keys: readonly string[];
  readonly damage?: Damage;
}

/**
 * `complete=false` with the reason of that name or with none; a collector that wrote a mask over the keys; an attribute
 * limit that cut the last key off a list which still carries the count and digest of all.
 */
export type Damage =
  'redacted' | 'truncated' | 'sampled' | 'unsupported' | 'error' | 'unstated' | 'masked' | 'shortened';

export const DAMAGES: readonly Damage[] = [
  'redacted',
  'truncated',
  'sampled',
  'unsupported',
  'error',
  'unstated',
  'masked',
  'shortened',
];

/** One span that speaks for a handoff, in the client's own words. What is left out was not written on it. */
export interface Piece {
  /** Repetitions of one span have one name. */
  readonly name: string;
  /** Handoffs that retry each other have one family. */
  readonly family: string;
  readonly handoffId: string;
  readonly attempt: number;
  readonly role: 'dispatch' | 'ingest' | 'destination';
  readonly execution?: number;
  readonly retryOf?: string;
  readonly source?: string;
  readonly target?: string;
  readonly destination?: string;
  readonly version?: string;
  readonly required?: readonly string[];
  readonly prevented?: boolean;
  readonly stages: { readonly source?: Capture; readonly payload?: Capture; readonly destination?: Capture };
}

/** One attempt of one handoff. */
export function keyOf({ handoffId, attempt }: Pick<Piece, 'handoffId' | 'attempt'>): string {
  return `${handoffId}~${attempt}`;
}
