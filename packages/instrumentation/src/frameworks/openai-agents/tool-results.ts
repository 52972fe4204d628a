/**
 * The JSON results of a run's tool calls, and the arguments of its earlier handoff calls, for one question: whether a key
 * that no carrier holds was seen in one of them. A model can copy such a key into its next call, so nothing may then be
 * said of the stage (it is `unsupported`). Results are read only when that question comes up, and only for member names.
 */
export interface ToolResults {
  add(result: unknown): void;
  /** Whether a result has members for every name of a key path, at any depth. */
  mention(names: readonly string[]): boolean;
}

/** Results that are kept, and text that is parsed. Beyond them everything counts as mentioned: not known is not lost. */
const MAX_RESULTS = 256;
const MAX_PARSED_LENGTH = 262_144;
const MAX_NAMES = 10_000;

export function createToolResults(): ToolResults {
  const unread: string[] = [];
  const read: (ReadonlySet<string> | 'anything')[] = [];
  let overflowed = false;
  return {
    add(result) {
      if (typeof result !== 'string' || !/^\s*[[{]/.test(result)) return;
      if (unread.length + read.length < MAX_RESULTS) unread.push(result);
      else overflowed = true;
    },
    mention(names) {
      if (overflowed) return true;
      for (const text of unread.splice(0)) read.push(memberNames(text));
      return read.some((known) => known === 'anything' || names.every((name) => known.has(name)));
    },
  };
}

function memberNames(text: string): ReadonlySet<string> | 'anything' {
  if (text.length > MAX_PARSED_LENGTH) return 'anything';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Set();
  }
  const names = new Set<string>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (names.size > MAX_NAMES) return 'anything';
    for (const [name, member] of Object.entries(next)) {
      if (!Array.isArray(next)) names.add(name);
      open.push(member);
    }
  }
  return names;
}
