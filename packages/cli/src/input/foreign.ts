import { HEAD_BYTES } from './format.js';

const MAGIC: readonly (readonly [readonly number[], string])[] = [
  [[0x28, 0xb5, 0x2f, 0xfd], 'it is zstd data; unpack it first, or compress with gzip'],
  [[0x50, 0x4b, 0x03, 0x04], 'it is a zip archive; unpack it and name the files in it'],
  [[0xff, 0xfe], 'it is UTF-16 text; save it as UTF-8'],
  [[0xfe, 0xff], 'it is UTF-16 text; save it as UTF-8'],
];

/**
 * What bytes look like that a decoder did not take for traces, for the message; undefined where they look like nothing
 * known and the decoder's own words say most. Judged by the first bytes.
 */
export function describeForeign(bytes: Uint8Array): string | undefined {
  for (const [magic, what] of MAGIC) if (magic.every((byte, at) => bytes[at] === byte)) return what;
  if (isWideText(bytes)) return 'it is UTF-16 text; save it as UTF-8';
  if (isLengthPrefixed(bytes)) {
    return "it holds protobuf messages with their lengths before them, as a collector's file exporter writes with format: proto; let it write format: json";
  }
  const text = textOf(bytes.subarray(0, HEAD_BYTES));
  if (text === undefined) return undefined;
  if (/^\s*</.test(text)) return 'it looks like HTML or XML';
  return bytes.length > HEAD_BYTES ? 'it is text that is no JSON' : describeText(text);
}

/** Nothing but spaces, tabs and line ends, and at least one of them. */
export function isWhiteSpace(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/**
 * What stands in a JSON request in place of `resourceSpans`; undefined where that is there. For requests in which the
 * decoder found no span.
 */
export function describeMembers(json: Uint8Array): string | undefined {
  const root: unknown = JSON.parse(new TextDecoder().decode(json));
  const members = Object.keys(root as object);
  if (members.some((name) => name === 'resourceSpans' || name === 'resource_spans')) return undefined;
  if (members.length === 0) return 'an empty JSON object';
  const named = members.slice(0, MAX_MEMBERS).map((name) => JSON.stringify(name.slice(0, MAX_NAME)));
  const rest = members.length - named.length;
  return `a JSON object without resourceSpans; found ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const MAX_MEMBERS = 5;
const MAX_NAME = 40;

// Every second byte is NUL, as in Latin text without a byte order mark.
function isWideText(bytes: Uint8Array): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return (a >= 0x20 && b === 0 && c >= 0x20 && d === 0) || (a === 0 && b >= 0x20 && c === 0 && d >= 0x20);
}

function isLengthPrefixed(bytes: Uint8Array): boolean {
  if (bytes.length < 5 || bytes[4] !== 0x0a) return false;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  return length > 0 && length <= bytes.length - 4;
}

/** The text of UTF-8 bytes that have no control characters but white space. */
function textOf(head: Uint8Array): string | undefined {
  try {
    // As a stream: the head may end within a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return text !== '' && !/[^\P{Cc}\t\n\f\r]/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function describeText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return `it is the JSON value ${JSON.stringify(value).slice(0, MAX_NAME)}, no object with an array resourceSpans`;
  } catch {
    return 'it is text that is no JSON';
  }
}
