import { namesOfPath } from '../../capture/other-ways.js';
import { types } from 'node:util';
import { firstName } from '@seamtrace/contracts';
import { createMemberNames } from '../../capture/member-names.js';
import { captureStage, type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { unite } from '../../capture/unite.js';
import type { ContractTerms } from '../../handoff/state.js';
import { elements, ownData } from '../../hooks/own-data.js';
import type { ConfigLike } from './internal-types.js';

// What can carry keys from one agent to the next in this framework: channels of a graph's state, the input of a `Send`, the
// arguments of a transfer's tool call and the update of its `Command`, and members of the run's context that a contract
// names. Messages are no carrier: what stands in their text proves nothing, and what stands in their JSON makes a stage
// incomplete where a required key is found there only.

/** Members that the framework's own agents keep in the state for themselves. They count where a contract names them. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'messages',
  'activeAgent',
  'remainingSteps',
  'remaining_steps',
  'jumpTo',
  'lg_tool_call',
]);

/** Whether a member is the framework's own. Names with a leading `_`, such as `_privateState`, are too. */
export function isBookkeeping(name: string): boolean {
  return name.startsWith('_') || BOOKKEEPING.has(name);
}

/** The carriers of one stage, as they are now. */
export interface Carriers {
  /** Objects whose members are keys, or JSON of one. */
  readonly values: readonly unknown[];
  /** Lists of messages that can be read at this stage. */
  readonly messages: readonly unknown[];
  /** All of the state could be read. */
  readonly whole: boolean;
  /** Keys may have gone where they cannot be seen, such as into a message that the application wrote. */
  readonly hidden?: boolean;
}

/** What a stage holds. `undefined` where nothing that could carry a key was there. */
export function readCarriers(
  { values, whole }: Carriers,
  terms: ContractTerms | undefined,
  secret: string | undefined,
): StageCapture | undefined {
  let capture: StageCapture | undefined;
  for (const value of values) {
    if (value === undefined || value === null || (typeof value !== 'object' && typeof value !== 'string')) continue;
    if (Array.isArray(value)) continue;
    const seen = captureStage(withoutBookkeeping(value, terms), terms, secret);
    capture = capture === undefined ? seen : unite(capture, seen, terms);
  }
  if (whole) return capture;
  return incomplete(capture ?? captureStage({}, terms, secret));
}

/** The evidence of a stage: what was read, made incomplete where keys may have gone another way. */
export function stageEvidence(
  capture: StageCapture | undefined,
  terms: ContractTerms | undefined,
  carriers: Carriers,
  textOnly: boolean,
): StageCapture {
  if (textOnly) return unseenStage('unsupported');
  const seen = capture ?? captureStage({}, terms);
  if (!seen.keys.complete) return seen;
  const missing = (terms?.required ?? []).filter((path) => !seen.keys.keys.includes(path));
  if (missing.length === 0) return seen;
  return carriers.hidden === true || mentioned(carriers.messages, missing) ? incomplete(seen) : seen;
}

/** Whether a value can carry keys: an object, and no list. */
export function holdsMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a capture found anything, or could not look. */
export function carriesKeys(capture: StageCapture | undefined): boolean {
  return capture !== undefined && (capture.keys.keyCount > 0 || !capture.keys.complete);
}

/** Members of the run's context and of its configuration that the contract names; all agents of a run read the same. */
export function runtimeContext(config: ConfigLike | undefined, terms: ContractTerms | undefined): unknown {
  const found: Record<string, unknown> = {};
  for (const path of terms?.paths ?? []) {
    const parsed = firstName(path);
    for (const holder of [config?.context, config?.configurable]) {
      const value = ownData(holder, parsed);
      if (value !== undefined) found[parsed] = value;
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** The arguments of a tool call that stands in a list of messages. */
export function argumentsIn(messages: unknown, callId: string | undefined): unknown {
  if (callId === undefined) return undefined;
  for (const message of elements(messages))
    for (const call of elements(ownData(message, 'tool_calls')))
      if (ownData(call, 'id') === callId) return ownData(call, 'args');
  return undefined;
}

/** Whether a list of messages has one with a text that another list has not. */
export function rewritten(before: unknown, after: unknown): boolean {
  if (before === after) return false;
  const known = new Set(elements(before).map(textOf));
  return elements(after).some((message) => {
    const text = textOf(message);
    return text === undefined || !known.has(text);
  });
}

function textOf(message: unknown): string | undefined {
  if (typeof message === 'string') return message;
  const content = ownData(message, 'content');
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const parts = elements(content).map((part) => (typeof part === 'string' ? part : ownData(part, 'text')));
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

/** Whether messages have members for every name of one of the paths: in results of tools, in arguments, in metadata. */
function mentioned(lists: readonly unknown[], paths: readonly string[]): boolean {
  const names = createMemberNames();
  for (const list of lists)
    for (const message of elements(list)) {
      const content = ownData(message, 'content');
      for (const part of Array.isArray(content) ? elements(content) : [content])
        names.read(typeof part === 'object' ? (ownData(part, 'text') ?? part) : part);
      for (const call of elements(ownData(message, 'tool_calls'))) names.read(ownData(call, 'args'));
      for (const member of ['additional_kwargs', 'artifact']) names.read(ownData(message, member));
    }
  return paths.some((path) => {
    const members = namesOfPath(path);
    return members.length > 0 && names.mention(members);
  });
}

function incomplete(capture: StageCapture): StageCapture {
  if (!capture.keys.complete) return capture;
  return { ...capture, keys: { ...capture.keys, complete: false, incompleteReason: 'unsupported' } };
}

/** The same members but those of the framework. Accessors stay accessors, and what is no plain object stays what it is. */
function withoutBookkeeping(value: object | string, terms: ContractTerms | undefined): unknown {
  if (typeof value === 'string' || types.isProxy(value) || types.isMap(value)) return value;
  const named = new Set((terms?.paths ?? []).map(firstName));
  const left = Object.keys(value).filter((name) => isBookkeeping(name) && !named.has(name));
  if (left.length === 0) return value;
  const copy: object = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(value)))
    if (!left.includes(name)) Object.defineProperty(copy, name, { ...member, configurable: true });
  return copy;
}
