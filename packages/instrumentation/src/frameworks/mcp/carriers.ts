import { payloadSize } from '../../capture/payload-size.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import type { MessageContents } from '../../remote/contents.js';

// What carries keys from one agent to the next in MCP: the arguments of the call; on the way back structured content and text
// that holds a JSON object. `_meta` is the protocol's own. Prose carries facts without names, also as an argument.

/** The arguments of a call. An argument of three words or more is an instruction that may tell what has no key. */
export function callContents(args: unknown): MessageContents {
  const given = args ?? {};
  return { records: [given], opaque: holdsProse(given), size: payloadSize(given) };
}

/** The result of a call. */
export function resultContents(result: unknown): MessageContents {
  const structured = ownData(result, 'structuredContent');
  const content = elements(ownData(result, 'content'));
  const texts = content.map((each) => text(ownData(each, 'text'))).filter((each) => each !== undefined);
  const records = texts.filter(holdsRecord);
  // A server repeats structured content as text, for clients that read only that.
  const prose = texts.some((each) => !holdsRecord(each) && each.trim() !== '');
  const files = content.some((each) => ownData(each, 'type') !== 'text');
  return {
    records: structured === undefined ? records : [structured, ...records],
    opaque: prose || files,
    size: payloadSize(structured ?? content),
    textSize: texts.reduce((bytes, each) => bytes + Buffer.byteLength(each), 0),
    references: content.filter((each) => ownData(each, 'type') === 'resource_link').length,
  };
}

const PROSE = /\S\s+\S+\s+\S/;
const MAX_DEPTH = 8;

function holdsProse(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return PROSE.test(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  const members = Array.isArray(value) ? elements(value) : Object.getOwnPropertyNames(value);
  return members.some((each) => holdsProse(Array.isArray(value) ? each : ownData(value, String(each)), depth + 1));
}

function holdsRecord(words: string): boolean {
  if (!/^\s*\{/.test(words)) return false;
  try {
    const value: unknown = JSON.parse(words);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
