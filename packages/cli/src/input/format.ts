/** What a file of spans is, told by its bytes: names and extensions are not to be trusted, and stdin has none. */
export type FileFormat = 'gzip' | 'json' | 'protobuf';

/** How many bytes {@link detectFormat} wants to see, where the file has that many. */
export const HEAD_BYTES = 512;

const BRACE = 0x7b;
const BRACKET = 0x5b;
const QUOTE = 0x22;

/**
 * Tells the format from the first bytes. A line feed may start both JSON and protobuf (it is the tag of the first
 * field of a request), and the length after it may look like a brace; so text is JSON only where, behind `{` and white
 * space, the object ends or a string starts that goes on with a printable character.
 */
export function detectFormat(head: Uint8Array): FileFormat {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  at = skipSpace(head, at);
  // An array is no request, but the JSON decoder is the one to say so. Behind white space it may be protobuf.
  if (head[at] !== BRACE) return head[0] === BRACKET ? 'json' : 'protobuf';
  if (at === 0) return 'json';
  at = skipSpace(head, at + 1);
  if (at >= head.length || head[at] === 0x7d) return 'json';
  return head[at] === QUOTE && (head[at + 1] ?? 0x20) >= 0x20 ? 'json' : 'protobuf';
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}
