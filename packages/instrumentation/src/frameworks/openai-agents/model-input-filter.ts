import { types } from 'node:util';
import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { type CallItem, callItems, rawItems, readable } from './call-items.js';
import { captureDestination, type ModelInput } from './destination.js';
import type { Dispatch } from './dispatch.js';
import { followCall, locateCall, type Whereabouts } from './handoff-call.js';
import type { AnyFunction } from '../../hooks/any-function.js';
import type { RunnerLike, RunOptionsLike } from './internal-types.js';
import { answerTexts, type MessageTexts, messageTexts, rewrote } from './message-texts.js';
import { isThenable, memberOf, ownData } from '../../hooks/own-data.js';

/** What the options of a run say, as far as it can be read without running code of the application's. */
export interface RunOptionsReading {
  readonly filter: AnyFunction | undefined;
  /** The filter can be followed: the options are a plain object, of which a copy is as good. */
  readonly followable: boolean;
  readonly conversationId: unknown;
  readonly previousResponseId: unknown;
  /** False where an accessor or a Proxy hides one of these. */
  readonly readable: boolean;
}

/** Options of a run come before the runner's config. */
export function readRunOptions(runner: RunnerLike, options: RunOptionsLike | undefined): RunOptionsReading {
  const own = memberOf(options, 'callModelInputFilter');
  const conversation = memberOf(options, 'conversationId');
  const response = memberOf(options, 'previousResponseId');
  const filter = own.value ?? runner.config?.callModelInputFilter;
  return {
    filter: typeof filter === 'function' ? (filter as AnyFunction) : undefined,
    followable: isPlain(options),
    conversationId: conversation.value,
    previousResponseId: response.value,
    readable: own.readable && conversation.readable && response.readable,
  };
}

/**
 * The run's options with the application's `callModelInputFilter` followed: the destination is captured after it. The
 * filter of the runner's config is passed the same way, since options of a run come before it. Never makes one up. Only
 * for options that {@link readRunOptions} found to be plain: members are copied as they are, accessors unread.
 */
export function followModelInputFilter(run: AgentRun, filter: AnyFunction, options: object | undefined): object {
  // A Proxy keeps what the SDK reads from the function itself, such as `preserveInputIdentity`.
  const value = new Proxy(filter, { apply: (target, self, args) => apply(run, target, self, args) });
  const prototype: object | null = options === undefined ? Object.prototype : Object.getPrototypeOf(options);
  return Object.create(prototype, {
    ...Object.getOwnPropertyDescriptors(options ?? {}),
    callModelInputFilter: { ...PLAIN_MEMBER, value },
  }) as object;
}

const PLAIN_MEMBER = { writable: true, enumerable: true, configurable: true } as const;

function isPlain(options: unknown): boolean {
  if (options === undefined) return true;
  if (typeof options !== 'object' || options === null || types.isProxy(options)) return false;
  const prototype: unknown = Object.getPrototypeOf(options);
  return prototype === Object.prototype || prototype === null;
}

function apply(run: AgentRun, filter: AnyFunction, self: unknown, args: unknown[]): unknown {
  const { turn } = run;
  if (run.ended || turn?.handoff === undefined || turn.captured) return Reflect.apply(filter, self, args);
  const { handoff } = turn;
  const before = guarded('a model input filter', () => readInput(handoff, ownData(args[0], 'modelData')), undefined);
  const context = ownData(args[0], 'context');
  const returned = Reflect.apply(filter, self, args);
  const next = (filtered: unknown): unknown => {
    const input = guarded('a model input filter', () => compare(before, filtered), UNSEEN);
    captureDestination(run, turn, context, input);
    return filtered;
  };
  return isThenable(returned) ? Promise.resolve(returned).then(next) : next(returned);
}

const UNSEEN: ModelInput = { items: [], call: { found: undefined, known: false }, hidden: true };

interface InputBefore {
  readonly texts: MessageTexts;
  readonly answers: MessageTexts;
  readonly calls: readonly CallItem[];
  readonly ours: Whereabouts;
}

/** Taken before the filter runs, since it may also write into what it is given. */
function readInput({ call, args }: Dispatch, modelData: unknown): InputBefore {
  const items = rawItems(ownData(modelData, 'input'));
  const calls = callItems(items);
  const where = locateCall(items, call, args);
  const ours = calls.find(({ item }) => item === where.found?.item);
  return {
    texts: messageTexts(items),
    answers: answerTexts(items),
    calls,
    ours: ours === undefined ? where : { found: ours },
  };
}

function compare(before: InputBefore | undefined, filtered: unknown): ModelInput {
  const input = ownData(filtered, 'input');
  if (before === undefined || !readable(input)) return UNSEEN;
  const items = rawItems(input);
  const { ours } = before;
  const call = ours.found === undefined ? ours : followCall(before.calls, ours.found, items);
  const moved = call.found?.args !== ours.found?.args && rewrote(before.answers, answerTexts(items));
  return { items, call, hidden: moved || rewrote(before.texts, messageTexts(items)) };
}
