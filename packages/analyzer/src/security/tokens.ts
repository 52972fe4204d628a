import { createHash, timingSafeEqual } from 'node:crypto';

/** What a bearer token may be made of (RFC 6750, section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Digests in place of tokens: equal in length, so that comparing takes one time for all, and no token lies in memory. */
export type TokenDigest = Buffer;

export type ParseTokensResult =
  | { readonly ok: true; readonly digests: readonly TokenDigest[] }
  /** Positions from 1 of what is no token. The text itself is a secret. */
  | { readonly ok: false; readonly bad: readonly number[] };

/** Tokens of a list; an empty one has none. */
export function digestTokens(tokens: readonly string[]): ParseTokensResult {
  const bad = tokens.flatMap((token, index) => (TOKEN.test(token) ? [] : [index + 1]));
  return bad.length > 0 ? { ok: false, bad } : { ok: true, digests: tokens.map(digest) };
}

/** Tokens of a file, one a line; empty lines and those that start with `#` do not count. Positions are lines. */
export function digestTokenLines(text: string): ParseTokensResult {
  const lines = text.split('\n').map((line) => line.trim());
  const isToken = (line: string): boolean => line !== '' && !line.startsWith('#');
  const bad = lines.flatMap((line, index) => (isToken(line) && !TOKEN.test(line) ? [index + 1] : []));
  return bad.length > 0 ? { ok: false, bad } : { ok: true, digests: lines.filter(isToken).map(digest) };
}

/** The token of an `Authorization: Bearer …`; `undefined` for anything else. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
}

/** Whether a token is one of them. Takes the same time whichever it is, and whether it is one at all. */
export function isOneOf(digests: readonly TokenDigest[], token: string): boolean {
  const given = digest(token);
  let found = false;
  for (const known of digests) found = timingSafeEqual(known, given) || found;
  return found;
}

function digest(token: string): TokenDigest {
  return createHash('sha256').update(token).digest();
}
