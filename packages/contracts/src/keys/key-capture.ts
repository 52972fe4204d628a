import type { IncompleteReason } from '@seamtrace/semconv';
import { EMPTY_KEYS_DIGEST, keysDigest } from './digest.js';
import { compareUtf8, sortUnique } from './order.js';

/** Why a capture did not see everything, most telling first: of several reasons the first is stated. */
export const INCOMPLETE_REASON_ORDER = [
  'redacted',
  'truncated',
  'sampled',
  'unsupported',
  'error',
] as const satisfies readonly IncompleteReason[];

/** The names that one carrier of context held at one stage, as the stage evidence of a span states them. */
export interface KeyCapture {
  /** Distinct names and paths, sorted by UTF-8 bytes, after masking and the cap. Names, never values. */
  readonly keys: readonly string[];
  /** The capture saw everything there was, and `keys` is all of it. */
  readonly complete: boolean;
  /** Set exactly when `complete` is false. */
  readonly incompleteReason?: IncompleteReason;
  /** How many there were before the cap. */
  readonly keyCount: number;
  /** Digest over the names before the cap. */
  readonly keysDigest: string;
}

/** Limits of a capture (wire contract, section 3). */
export interface KeyCaps {
  /** Most names that are kept. Default 256. */
  readonly maxKeys?: number | undefined;
  /** Longest name that is kept, in UTF-8 bytes. Default 128. */
  readonly maxKeyBytes?: number | undefined;
}

/** The first of the reasons by {@link INCOMPLETE_REASON_ORDER}; `undefined` when there is none. */
function mostTelling(reasons: ReadonlySet<IncompleteReason>): IncompleteReason | undefined {
  return INCOMPLETE_REASON_ORDER.find((reason) => reasons.has(reason));
}

/**
 * Closes a capture in the order of the wire contract: unique, sort, count, digest, cap. Beyond the cap the names that a
 * contract lists stay before others do, since they are what evidence is about.
 *
 * @param counted How many names there were, where that is more than `names` holds.
 */
export function sealCapture(
  names: Iterable<string>,
  listed: ReadonlySet<string>,
  reasons: Set<IncompleteReason>,
  caps: KeyCaps,
  counted = 0,
): KeyCapture {
  const { maxKeys = 256, maxKeyBytes = 128 } = caps;
  const all = sortUnique(names);
  const short = all.filter((name) => Buffer.byteLength(name) <= maxKeyBytes);
  let keys = short;
  if (short.length > maxKeys) {
    const first = short.filter((name) => listed.has(name));
    const rest = short.filter((name) => !listed.has(name));
    keys = [...first, ...rest].slice(0, Math.max(0, maxKeys)).sort(compareUtf8);
  }
  const keyCount = Math.max(all.length, counted);
  if (keys.length < keyCount) reasons.add('truncated');
  const reason = mostTelling(reasons);
  const seen = { keys, keyCount, keysDigest: keysDigest(all) };
  return reason === undefined ? { ...seen, complete: true } : { ...seen, complete: false, incompleteReason: reason };
}

/** A capture that saw nothing, and says why. */
export function incompleteCapture(reason: IncompleteReason): KeyCapture {
  return { keys: [], complete: false, incompleteReason: reason, keyCount: 0, keysDigest: EMPTY_KEYS_DIGEST };
}

/** Options of {@link mergeCaptures}. */
export interface MergeOptions extends KeyCaps {
  /** Contract paths, kept before other names when the union is over the cap. */
  readonly paths?: readonly string[] | undefined;
}

/**
 * The capture of two carriers that together are one stage, such as an app's context object and the arguments of the
 * handoff call: the union of their names. It is complete only when both are; count and digest are computed anew. Where
 * a part was cut, the union's size is not known, and `keyCount` is the least that it can be.
 */
export function mergeCaptures(a: KeyCapture, b: KeyCapture, options: MergeOptions = {}): KeyCapture {
  const reasons = new Set<IncompleteReason>();
  for (const part of [a, b]) if (!part.complete) reasons.add(part.incompleteReason ?? 'error');
  const listed = new Set(options.paths);
  return sealCapture([...a.keys, ...b.keys], listed, reasons, options, Math.max(a.keyCount, b.keyCount));
}
