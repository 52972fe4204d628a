import {
  canonicalJson,
  captureKeys,
  incompleteCapture,
  keyedDigest,
  type KeyCapture,
  valueAt,
} from '@seamtrace/contracts';
import type { IncompleteReason } from '@seamtrace/semconv';
import type { ContractTerms } from '../handoff/state.js';
import { withTools } from './tools-kept.js';

/** What one stage holds: the key names, and keyed digests where the contract and a secret ask for them. */
export interface StageCapture {
  readonly keys: KeyCapture;
  /** Keyed digest of the id of the state record that was read or written. */
  readonly stateRef?: string | undefined;
  /** `<key>=<keyed digest>` for each key that the contract lists under `integrity` and that is there. */
  readonly valueDigests?: readonly string[] | undefined;
}

const NO_PATHS: readonly string[] = Object.freeze([]);

/**
 * Captures one stage from the object (or JSON text) that carries its context, by the terms of one contract. Never
 * throws, runs no code of the user's, and keeps no value: see `captureKeys` of `@seamtrace/contracts`.
 *
 * @param tools Names of the tools that the destination has, where they are known. A capture that does not know them is
 * incomplete under a contract which asks for tools; `null` where the caller adds them by {@link withTools}.
 */
export function captureStage(
  value: unknown,
  terms?: ContractTerms,
  secret?: string,
  tools?: readonly string[] | null,
): StageCapture {
  const context = captureKeys(value, { paths: terms?.paths ?? NO_PATHS, nullable: terms?.nullable, json: true });
  const keys = tools === null ? context : withTools(context, terms, tools);
  if (terms === undefined || secret === undefined || secret === '') return { keys };
  const record = parseRecord(value);
  return { keys, stateRef: stateRefOf(record, terms, secret), valueDigests: digestsOf(record, terms, secret) };
}

/** A stage that could not be observed, and why. */
export function unseenStage(reason: IncompleteReason): StageCapture {
  return { keys: incompleteCapture(reason) };
}

function parseRecord(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

function stateRefOf(record: unknown, terms: ContractTerms, secret: string): string | undefined {
  if (terms.stateRef === undefined) return undefined;
  const found = valueAt(record, terms.stateRef);
  if (found.status !== 'present') return undefined;
  // An id is a scalar. A digest of anything else would change with facts that are not the record's identity.
  const id = found.value;
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint'
    ? keyedDigest(secret, String(id))
    : undefined;
}

function digestsOf(record: unknown, terms: ContractTerms, secret: string): readonly string[] | undefined {
  if (terms.integrity.length === 0) return undefined;
  const digests: string[] = [];
  for (const key of terms.integrity) {
    const found = valueAt(record, key);
    if (found.status !== 'present') continue;
    const text = canonicalJson(found.value);
    const digest = text === undefined ? undefined : keyedDigest(secret, text);
    if (digest !== undefined) digests.push(`${key}=${digest}`);
  }
  return digests;
}
