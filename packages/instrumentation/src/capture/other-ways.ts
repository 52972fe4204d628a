import { parseKeyPath, valueAt } from '@seamtrace/contracts';
import { elements, ownData } from '../hooks/own-data.js';
import { createMemberNames, type MemberNames } from './member-names.js';

/** What a model read, or is given to read, besides the carriers. */
export interface Seen {
  /** Results of tools, metadata of messages: their member names count. */
  readonly structures: () => readonly unknown[];
  /** Texts: JSON in them counts, and the values of the source. */
  readonly texts: () => readonly string[];
}

/**
 * Answers whether a key that no carrier holds may have gone another way: its name stands in a structure or in JSON of a
 * text, or the value that the source had for it stands in a text. Everything is read when the first question comes.
 *
 * @param values The members of the source, whose values are looked for in texts.
 */
export function otherWays({ structures, texts }: Seen, values: readonly unknown[] = []): (path: string) => boolean {
  const lazy: { names?: MemberNames; texts?: readonly string[] } = {};
  return (path) => {
    const all = (lazy.texts ??= texts());
    if (lazy.names === undefined) {
      lazy.names = createMemberNames();
      for (const each of [...structures(), ...all]) lazy.names.read(each);
    }
    if (lazy.names.mention(namesOfPath(path))) return true;
    return values.some((record) => {
      const found = valueAt(record, path);
      return found.status === 'unreadable' || (found.status === 'present' && standsIn(found.value, all));
    });
  };
}

const MAX_LEAVES = 1_000;

/** Whether a value, or any scalar inside it, stands in one of the texts, however it is spelled there. */
function standsIn(value: unknown, texts: readonly string[]): boolean {
  const folded = texts.map(fold);
  const open: unknown[] = [value];
  for (let seen = 0; open.length > 0; seen += 1) {
    if (seen > MAX_LEAVES) return true;
    const next = open.pop();
    if (Array.isArray(next)) open.push(...elements(next));
    else if (typeof next === 'object' && next !== null) {
      for (const name of Object.keys(next)) open.push(ownData(next, name));
    } else if (isScalar(next)) {
      const written = String(next);
      if (written !== '' && texts.some((text) => text.includes(written))) return true;
      const bare = fold(written);
      if (bare !== '' && folded.some((text) => text.includes(bare))) return true;
    }
  }
  return false;
}

/** Letters and digits alone, in lower case: an id or a date that was formatted for a reader is still told. */
function fold(written: string): string {
  return written.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** The member names of a key path. Empty for what is none. */
export function namesOfPath(path: string): readonly string[] {
  const parsed = parseKeyPath(path);
  return parsed.ok ? parsed.steps.flatMap((step) => ('name' in step ? [step.name] : [])) : [];
}
