import { type CallItem, callItems } from './call-items.js';
import { ownData } from '../../hooks/own-data.js';

/** Which call of the model is meant. Call ids of models repeat, so its arguments count too. */
export interface HandoffCall {
  readonly callId: string | undefined;
  readonly toolName: string | undefined;
}

/** A call with its arguments as they were at one time. */
export interface MadeCall extends HandoffCall {
  readonly args: string | undefined;
}

/** What became of the call in a list: still there, gone, or not to be told apart from other calls. */
export type Whereabouts = { readonly found: CallItem } | { readonly found: undefined; readonly known: boolean };

const GONE: Whereabouts = { found: undefined, known: true };
const UNCLEAR: Whereabouts = { found: undefined, known: false };

type Trait = (call: CallItem) => string | object;

const written = (...parts: readonly unknown[]): string =>
  JSON.stringify(parts.map((part) => (typeof part === 'string' ? part : null)));

/** How a call is known again, the surest first. Filters copy items, normalise ids, rename tools and rewrite arguments. */
const SAME_ARGUMENTS: readonly Trait[] = [
  ({ item }) => item,
  ({ callId, name, args }) => written(callId, name, args),
  ({ name, args }) => written(name, args),
  ({ callId, args }) => written(callId, args),
  ({ args }) => written(args),
];
const OTHER_ARGUMENTS: readonly Trait[] = [
  ({ callId, name }) => written(callId, name),
  ({ name }) => written(name),
  ({ callId }) => written(callId),
];

/**
 * Follows one call from a list to what a filter made of that list. Calls are paired by what they have in common, the
 * surest likeness first, the other calls too: what is another call is not taken for this one. Where that leaves a choice,
 * or a call that nothing explains, it is not known what became of it.
 */
export function followCall(before: readonly CallItem[], ours: CallItem, items: readonly unknown[]): Whereabouts {
  let earlier = before;
  let later = callItems(items);
  for (const trait of [...SAME_ARGUMENTS, ...OTHER_ARGUMENTS]) {
    const paired = new Set<CallItem>();
    const groups = groupBy(later, trait);
    for (const [key, calls] of groupBy(earlier, trait)) {
      const alike = groups.get(key) ?? [];
      const rank = calls.indexOf(ours);
      if (rank >= 0 && alike.length > 0) return choose(calls.length, alike, rank, SAME_ARGUMENTS.includes(trait));
      const pairs = Math.min(calls.length, alike.length);
      for (const call of [...calls.slice(0, pairs), ...alike.slice(0, pairs)]) paired.add(call);
    }
    earlier = earlier.filter((call) => !paired.has(call));
    later = later.filter((call) => !paired.has(call));
    if (later.length === 0) return GONE;
  }
  return UNCLEAR;
}

/** The call in a list that the SDK has put together, which changes no call: other arguments are another call. */
export function locateCall(items: readonly unknown[], call: HandoffCall, args: string | undefined): Whereabouts {
  const made: CallItem = { item: {}, callId: call.callId, name: call.toolName, args };
  const calls = callItems(items);
  for (const trait of SAME_ARGUMENTS) {
    const found = calls.filter((each) => trait(each) === trait(made)).at(-1);
    if (found !== undefined) return { found };
  }
  const related = calls.some(({ callId, name }) => callId === made.callId || name === made.name);
  return related ? UNCLEAR : GONE;
}

/** Whether the list holds the answer to the call. A provider takes an answer only where it holds the call itself. */
export function holdsAnswer(items: readonly unknown[], call: HandoffCall): boolean {
  return items.some(
    (item) => ownData(item, 'type') === 'function_call_result' && ownData(item, 'callId') === call.callId,
  );
}

function choose(count: number, alike: readonly CallItem[], rank: number, sameArguments: boolean): Whereabouts {
  // With the same arguments in all of them it does not matter which one it is, as long as there are enough.
  const found = alike.length === count ? alike[rank] : sameArguments && alike.length > count ? alike.at(-1) : undefined;
  return found === undefined ? UNCLEAR : { found };
}

function groupBy(calls: readonly CallItem[], trait: Trait): Map<string | object, CallItem[]> {
  const groups = new Map<string | object, CallItem[]>();
  for (const call of calls) {
    const key = trait(call);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [call]);
    else group.push(call);
  }
  return groups;
}
