import { types } from 'node:util';
import { ownData } from '../hooks/own-data.js';

/**
 * The names of members in what a model was given to read: objects, and JSON in texts, also where it stands in a text of
 * other JSON, line by line, behind a byte order mark or in a fenced block. Beyond its bounds everything counts as named:
 * not known is not lost.
 */
export interface MemberNames {
  read(value: unknown): void;
  /** Whether there is a member for every name of a key path, at any depth. */
  mention(names: readonly string[]): boolean;
}

const MAX_TEXT = 1_048_576;
const MAX_VALUES = 100_000;
/** How deep JSON may stand in texts of other JSON. */
const MAX_NESTING = 3;
const FENCED = /```[A-Za-z0-9]*\s([^`]+)```/g;
const QUOTED_NAME = /"([^"\\]{1,256})"\s*:/g;

export function createMemberNames(): MemberNames {
  const names = new Set<string>();
  const left = { text: MAX_TEXT, values: MAX_VALUES };
  let exhausted = false;

  function walk(root: unknown, nesting: number): void {
    const open: unknown[] = [root];
    while (open.length > 0 && !exhausted) {
      left.values -= 1;
      if (left.values < 0) return void (exhausted = true);
      const next = open.pop();
      if (typeof next === 'string') parse(next, nesting);
      if (typeof next !== 'object' || next === null) continue;
      if (types.isProxy(next)) return void (exhausted = true);
      for (const name of Object.keys(next)) {
        if (!Array.isArray(next)) names.add(name);
        open.push(ownData(next, name));
      }
    }
  }

  function parse(text: string, nesting: number): void {
    const json = text.replace(/^[\s\uFEFF]+/, '');
    const structured = /^["[{]/.test(json);
    if (nesting >= MAX_NESTING || (!structured && !json.includes('```'))) return;
    left.text -= json.length;
    if (left.text < 0) return void (exhausted = true);
    if (!structured) {
      for (const [, block] of json.matchAll(FENCED)) parse(block as string, nesting + 1);
      return;
    }
    const values = parseAll(json);
    if (values === undefined) for (const [, name] of json.matchAll(QUOTED_NAME)) names.add(name as string);
    else walk(values, nesting + 1);
  }

  return {
    read: (value) => walk(value, 0),
    mention: (path) => exhausted || path.every((name) => names.has(name)),
  };
}

/** The value of a text, or those of its lines. */
function parseAll(json: string): readonly unknown[] | undefined {
  try {
    return [JSON.parse(json)];
  } catch {
    // Not one value; perhaps one on each line.
  }
  try {
    return json.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
  } catch {
    return undefined;
  }
}
