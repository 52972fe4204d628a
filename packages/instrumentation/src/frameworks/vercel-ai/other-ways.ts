import { parseKeyPath, valueAt } from '@seamtrace/contracts';
import { createMemberNames } from '../../capture/member-names.js';
import { elements, ownData } from '../../hooks/own-data.js';

/** What a model read, or is given to read, besides the carriers. */
export interface Seen {
  readonly structures: readonly unknown[];
  readonly texts: readonly string[];
  /** The words of a key's name in a text count: for a stage whose values nobody knows. */
  readonly byWords?: boolean;
}

/** The member names of a key path. Empty for what is none. */
export function namesOfPath(path: string): readonly string[] {
  const parsed = parseKeyPath(path);
  return parsed.ok ? parsed.steps.flatMap((step) => ('name' in step ? [step.name] : [])) : [];
}

/**
 * Answers whether a key that no carrier holds may have gone another way: its name stands in a structure or in JSON of a
 * text, or the value that an earlier stage had for it stands in a text.
 */
export function otherWays({ structures, texts, byWords }: Seen, values: readonly unknown[]): (path: string) => boolean {
  const names = createMemberNames();
  let read = false;
  return (path) => {
    if (!read) for (const each of [...structures, ...texts]) names.read(each);
    read = true;
    if (names.mention(namesOfPath(path))) return true;
    if (byWords === true && texts.some((text) => wordsStandIn(path, text))) return true;
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
