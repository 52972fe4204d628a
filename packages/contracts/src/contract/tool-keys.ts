import { escapeName, isContractKey } from '../keys/path.js';

/** The member under which captures list the tools of a destination, beside the keys of its context. */
export const TOOLS_MEMBER = '$tools';

/** The names that models' providers take for tools, and dots. */
const TOOL_NAME_PATTERN = /^[A-Za-z0-9_$.-]{1,64}$/;

/**
 * The key that stands for a tool which the destination needs: `$tools.lookup_invoice` for `lookup_invoice`. A contract that
 * lists the tool requires this key, so that a tool which does not survive the handoff is found as a missing key is. `undefined`
 * for a name that no key can spell.
 */
export function toolKey(name: string): string | undefined {
  if (!TOOL_NAME_PATTERN.test(name)) return undefined;
  const key = `${TOOLS_MEMBER}.${escapeName(name)}`;
  return isContractKey(key) ? key : undefined;
}

/** Whether a key stands for a tool, and so for nothing that the context holds. */
export function isToolKey(key: string): boolean {
  return key.startsWith(`${TOOLS_MEMBER}.`);
}
