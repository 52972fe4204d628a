import { types } from 'node:util';
import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { captureDestination } from './destination.js';
import type { AnyFunction, RunnerLike, RunOptionsLike } from './internal-types.js';
import { messageTexts, rewrote } from './message-texts.js';
import { ownData } from './own-data.js';

/**
 * The run's options with the application's `callModelInputFilter` followed: the destination is captured after it. The
 * filter of the runner's config is passed the same way, since options of a run come before it. Never makes one up.
 */
export function followModelInputFilter(run: AgentRun, runner: RunnerLike, options: RunOptionsLike | undefined): object {
  const filter = (options?.callModelInputFilter ?? runner.config?.callModelInputFilter) as AnyFunction;
  const prototype: object | null = Object.getPrototypeOf(options ?? {});
  // A Proxy keeps what the SDK reads from the function itself, such as `preserveInputIdentity`.
  const callModelInputFilter = new Proxy(filter, { apply: (target, self, args) => apply(run, target, self, args) });
  return Object.assign(Object.create(prototype), options, { callModelInputFilter });
}

function apply(run: AgentRun, filter: AnyFunction, self: unknown, args: unknown[]): unknown {
  const { turn } = run;
  if (run.ended || turn?.handoff === undefined || turn.captured) return Reflect.apply(filter, self, args);
  const texts = (data: unknown) => messageTexts(ownData(data, 'input'));
  const before = guarded('a model input filter', () => texts(ownData(args[0], 'modelData')), undefined);
  const context = ownData(args[0], 'context');
  const returned = Reflect.apply(filter, self, args);
  const next = (filtered: unknown): unknown => {
    const textRewritten = guarded('a model input filter', () => rewrote(before, texts(filtered)), true);
    captureDestination(run, turn, context, { filtered, textRewritten });
    return filtered;
  };
  if (types.isPromise(returned)) return returned.then(next);
  const thenable = typeof (returned as { then?: unknown } | undefined)?.then === 'function';
  return thenable ? Promise.resolve(returned).then(next) : next(returned);
}
