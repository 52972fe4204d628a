import { types } from 'node:util';
import type { AnyFunction } from '../../hooks/any-function.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import { ownData, text } from '../../hooks/own-data.js';
import { within } from '../../hooks/scope.js';
import { endToolCall, startToolCall } from '../../hooks/tool-call.js';
import { guarded } from '../../runtime/report.js';
import { runReads } from './destination.js';
import { follow, type Follower } from '../../hooks/follow-call.js';
import { followGenerator, isGenerator } from './follow-generator.js';
import { delegateReturns } from './return-leg.js';
import type { AgentRun, ToolWork } from './run.js';
import { inScope } from './run-scope.js';

/** The tools of a run, each in a copy that is followed. `undefined` where there are none that can be. */
export function followTools(run: AgentRun, tools: unknown): object | undefined {
  if (typeof tools !== 'object' || tools === null || types.isProxy(tools)) return undefined;
  const copies = Object.create(Object.getPrototypeOf(tools) as object | null) as object;
  Object.defineProperties(copies, Object.getOwnPropertyDescriptors(tools));
  for (const name of Object.keys(tools)) {
    const member = Object.getOwnPropertyDescriptor(tools, name);
    const copy = followedTool(run, name, member?.value);
    if (copy === undefined) continue;
    Object.defineProperty(copies, name, { ...member, value: copy });
  }
  return copies;
}

/** A copy of a tool that is plain data. An object of a class may depend on being itself, and is left alone. */
function followedTool(run: AgentRun, name: string, tool: unknown): object | undefined {
  if (typeof tool !== 'object' || tool === null || types.isProxy(tool)) return undefined;
  const prototype = Object.getPrototypeOf(tool) as object | null;
  const execute = ownData(tool, 'execute');
  if ((prototype !== Object.prototype && prototype !== null) || typeof execute !== 'function') return undefined;
  const copy = Object.create(prototype) as object;
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(tool));
  const followed = followExecute(run, name, execute as AnyFunction, (self) => (self === copy ? tool : self));
  Object.defineProperty(followed, 'name', { value: execute.name, configurable: true });
  Object.defineProperty(followed, 'length', { value: execute.length, configurable: true });
  Object.defineProperty(copy, 'execute', { value: followed, enumerable: true, configurable: true, writable: true });
  return copy;
}

function followExecute(
  run: AgentRun,
  name: string,
  execute: AnyFunction,
  selfOf: (self: unknown) => unknown,
): AnyFunction {
  return function followed(this: unknown, ...args: unknown[]): unknown {
    const call = (): unknown => Reflect.apply(execute, selfOf(this), args);
    if (run.followed.ended) return call();
    const rejected = guarded('a tool call', () => runReads(run, undefined), undefined);
    if (rejected !== undefined) return Promise.reject(rejected);
    const work = guarded('a tool call', () => beginWork(run, name, args), undefined);
    if (work === undefined) return call();
    const inside = (step: () => unknown): unknown => inScope({ run, work }, () => within(work.call.context, step));
    const follower: Follower = {
      done: (result) => endWork(work, result),
      failed: (error) => endWork(work, undefined, errorTypeOf(error)),
    };
    let open = false;
    return follow(
      () => {
        const result = inside(call);
        if (!isGenerator(result)) return result;
        open = true;
        guarded('a tool that yields', () => followGenerator(result, inside, follower), undefined);
        return result;
      },
      { done: (result) => (open ? undefined : follower.done(result)), failed: follower.failed },
    );
  };
}

function beginWork(run: AgentRun, name: string, [input, options]: unknown[]): ToolWork {
  const call = startToolCall(run.followed, { name, callId: text(ownData(options, 'toolCallId')), args: input });
  const work: ToolWork = { from: run, call, input, options, delegations: [], ended: false };
  run.open.add(work);
  return work;
}

function endWork(work: ToolWork, result: unknown, errorType?: string): void {
  if (work.ended) return;
  work.ended = true;
  work.from.open.delete(work);
  for (const delegation of work.delegations) {
    if (errorType === undefined && !delegation.failed) delegateReturns(delegation, result);
  }
  endToolCall(work.call, errorType);
}
