import { createMemberNames, type MemberNames } from '../../capture/member-names.js';

/**
 * The results of a run's tool calls, and the arguments of its earlier handoff calls, for one question: whether a key that
 * no carrier holds was seen in one of them. A model can copy such a key into its next call, so nothing may then be said
 * of the stage (it is `unsupported`). Results are read only when that question comes up, and only for member names.
 */
export interface ToolResults {
  add(result: unknown): void;
  /** Whether the results have members for every name of a key path, at any depth. */
  mention(names: readonly string[]): boolean;
}

/** Results that wait to be read. Beyond them everything counts as mentioned: not known is not lost. */
const MAX_RESULTS = 256;

export function createToolResults(): ToolResults {
  const unread: string[] = [];
  let known: MemberNames | undefined;
  let overflowed = false;
  return {
    add(result) {
      if (typeof result !== 'string' || !/["[{]/.test(result)) return;
      if (unread.length < MAX_RESULTS) unread.push(result);
      else overflowed = true;
    },
    mention(names) {
      if (overflowed) return true;
      known ??= createMemberNames();
      for (const text of unread.splice(0)) known.read(text);
      return known.mention(names);
    },
  };
}
