import { createHash, createHmac } from 'node:crypto';
import { sortUnique } from './order.js';

/**
 * The `seamtrace.<stage>.keys_digest` of a set of names: the first 16 hex digits of SHA-256 over the sorted, distinct
 * names joined by U+000A (wire contract, section 3). The digest of no names is {@link EMPTY_KEYS_DIGEST}.
 */
export function keysDigest(names: Iterable<string>): string {
  const joined = sortUnique(names).join('\n');
  const known = digests.get(joined);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(joined, 'utf8').digest('hex').slice(0, 16);
  if (joined.length <= MAX_JOINED) {
    if (digests.size >= MAX_DIGESTS) digests.clear();
    digests.set(joined, digest);
  }
  return digest;
}

// The handoffs of one application have few sets of names, each over and over.
const MAX_DIGESTS = 256;
const MAX_JOINED = 2_048;
const digests = new Map<string, string>();

/** The digest of an empty key set: that of the empty string. */
export const EMPTY_KEYS_DIGEST = 'e3b0c44298fc1c14';

/**
 * A keyed digest of a text, `hmac-sha256:<key id>:<hex>` (wire contract, section 3). The key id is the first 8 hex
 * digits of SHA-256 of the secret, so that two digests are compared only when both sides hold the same secret.
 *
 * Returns `undefined` for an empty secret: an unkeyed digest of a short identifier can be reversed by trying them all.
 */
export function keyedDigest(secret: string, text: string): string | undefined {
  if (secret === '') return undefined;
  return `hmac-sha256:${keyId(secret)}:${createHmac('sha256', secret).update(text, 'utf8').digest('hex')}`;
}

const lastKey = { secret: '', id: '' };

/** A deployment has one secret, so the last one is remembered. */
function keyId(secret: string): string {
  if (lastKey.secret !== secret) {
    lastKey.id = createHash('sha256').update(secret, 'utf8').digest('hex').slice(0, 8);
    lastKey.secret = secret;
  }
  return lastKey.id;
}
