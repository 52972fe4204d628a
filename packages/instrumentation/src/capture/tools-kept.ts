import { captureKeys, isToolKey, type KeyCapture, mergeCaptures, toolKey, TOOLS_MEMBER } from '@seamtrace/contracts';
import { elements } from '../hooks/own-data.js';
import type { ContractTerms } from '../handoff/state.js';

const toolKeysOf = new WeakMap<ContractTerms, ReadonlySet<string>>();

/** The keys of a contract that stand for tools. */
function requiredTools(terms: ContractTerms): ReadonlySet<string> {
  const known = toolKeysOf.get(terms);
  if (known !== undefined) return known;
  const keys = new Set(terms.required.filter(isToolKey));
  toolKeysOf.set(terms, keys);
  return keys;
}

/** Names of tools as an application gives them; whatever is no list of texts is not known. */
export function toolNames(given: unknown): readonly string[] | undefined {
  const names = Array.isArray(given) ? elements(given) : undefined;
  return names?.every((name) => typeof name === 'string') === true ? (names as readonly string[]) : undefined;
}

/**
 * A capture with the tools that the contract asks for and the destination has, as keys beside those of the context: at source
 * and payload the tools that the target is declared with, at the destination those that its model was offered. Tools that
 * no contract asks for are not listed.
 *
 * @param tools Their names; `undefined` where they are not known, which leaves the capture incomplete, `unsupported`.
 */
export function withTools(
  capture: KeyCapture,
  terms: ContractTerms | undefined,
  tools: readonly string[] | undefined,
): KeyCapture {
  if (terms === undefined) return capture;
  const asked = requiredTools(terms);
  if (asked.size === 0) return capture;
  if (tools === undefined) {
    const open = capture.complete && [...asked].some((key) => !capture.keys.includes(key));
    return open ? { ...capture, complete: false, incompleteReason: 'unsupported' } : capture;
  }
  const there = Object.fromEntries(
    tools.filter((name) => asked.has(toolKey(name) ?? '')).map((name) => [name, true] as const),
  );
  const seen = captureKeys({ [TOOLS_MEMBER]: there }, { paths: terms.paths });
  return mergeCaptures(capture, seen, { paths: terms.paths });
}
