import { namesOfPath } from '../../capture/other-ways.js';
import { valueAt } from '@seamtrace/contracts';
import { createMemberNames } from '../../capture/member-names.js';
import { elements, ownData } from '../../hooks/own-data.js';

/** What a model read, or is given to read, besides the carriers. */
export interface Seen {
  readonly structures: readonly unknown[];
  readonly texts: readonly string[];
  /**
   * Texts of the conversation, for a stage whose own values nobody knows: the words of the key's name count in them, and
   * so does whatever looks like an identifier and is none of the known values.
   */
  readonly told?: readonly string[];
}

/**
 * Answers whether a key that no carrier holds may have gone another way: its name stands in a structure or in JSON of a
 * text, or the value that an earlier stage had for it stands in a text.
 */
export function otherWays(
  { structures, texts, told = [] }: Seen,
  values: readonly unknown[],
): (path: string) => boolean {
  const names = createMemberNames();
  let read = false;
  return (path) => {
    if (!read) for (const each of [...structures, ...texts]) names.read(each);
    read = true;
    if (names.mention(namesOfPath(path))) return true;
    if (told.some((text) => wordsStandIn(path, text) || holdsUnknownIdentifier(text, values))) return true;
    return values.some((record) => {
      const found = valueAt(record, path);
      return found.status === 'unreadable' || (found.status === 'present' && standsIn(found.value, texts));
    });
  };
}

// Words that say nothing of what a key is about.
const PLAIN_WORDS: ReadonlySet<string> = new Set([
  'id',
  'ids',
  'key',
  'no',
  'nr',
  'ref',
  'name',
  'code',
  'value',
  'type',
]);

function wordsStandIn(path: string, text: string): boolean {
  const all = (namesOfPath(path).at(-1) ?? '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const telling = all.filter((word) => !PLAIN_WORDS.has(word));
  const lower = text.toLowerCase();
  const words = telling.length > 0 ? telling : all;
  return words.length > 0 && words.every((word) => lower.includes(word));
}

const IDENTIFIER = /[\p{L}\p{N}_-]*\p{N}[\p{L}\p{N}_-]*/gu;

/** A word with a digit may be the value of any key, if it is not that of a member that is there. */
function holdsUnknownIdentifier(text: string, values: readonly unknown[]): boolean {
  const words = text.slice(0, MAX_TOLD).match(IDENTIFIER) ?? [];
  return words.some((word) => !values.some((value) => holdsText(value, word)));
}

const MAX_TOLD = 65_536;

function holdsText(value: unknown, word: string): boolean {
  if (typeof value !== 'object' || value === null) return String(value).includes(word);
  return Object.keys(value).some((name) => {
    const member = ownData(value, name);
    return (typeof member === 'string' || typeof member === 'number') && String(member).includes(word);
  });
}

const MAX_LEAVES = 1_000;

/** Whether a value, or any scalar inside it, stands in one of the texts. */
export function standsIn(value: unknown, texts: readonly string[]): boolean {
  const open: unknown[] = [value];
  for (let seen = 0; open.length > 0; seen += 1) {
    if (seen > MAX_LEAVES) return true;
    const next = open.pop();
    if (Array.isArray(next)) open.push(...elements(next));
    else if (typeof next === 'object' && next !== null) {
      for (const name of Object.keys(next)) open.push(ownData(next, name));
    } else if (['string', 'number', 'bigint', 'boolean'].includes(typeof next)) {
      const written = String(next);
      if (written !== '' && texts.some((text) => text.includes(written))) return true;
    }
  }
  return false;
}
