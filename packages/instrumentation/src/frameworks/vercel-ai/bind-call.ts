import { types } from 'node:util';
import type { AnyFunction } from '../../hooks/any-function.js';
import { isThenable, ownData } from '../../hooks/own-data.js';
import { guarded } from '../../runtime/report.js';
import { standInFor } from './model-call.js';
import type { AgentRun } from './run.js';
import { followTools } from './tool-calls.js';

/** Members of a call that an agent makes, as they are to be for one run. Empty where nothing can be followed. */
export type BoundMembers = Readonly<Record<string, unknown>>;

/** Stand-ins, for the run, for the model and the tools of a call, and what gives the application its own ones back. */
export function boundMembers(run: AgentRun, member: (name: string) => unknown): BoundMembers {
  const bound: Record<string, unknown> = {};
  const model = member('model');
  const standIn = standInFor(run, model);
  if (standIn !== undefined) bound['model'] = standIn;
  const tools = followTools(run, member('tools'));
  if (tools !== undefined) bound['tools'] = tools;
  for (const name of ['prepareStep', 'experimental_prepareStep']) {
    const prepare = member(name);
    if (typeof prepare === 'function') bound[name] = followPrepareStep(run, prepare as AnyFunction, model, standIn);
  }
  readContexts(run, member);
  return bound;
}

/** An object with these members in the place of its own. It stays as it was. */
export function withMembers(value: object, members: BoundMembers): object {
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(value));
  for (const name of Object.keys(members)) {
    Object.defineProperty(copy, name, {
      value: members[name],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function readContexts(run: AgentRun, member: (name: string) => unknown): void {
  const toolsContext = member('toolsContext');
  const own = [member('experimental_context'), member('runtimeContext'), ...membersOf(toolsContext)];
  run.contexts = own.filter((value) => value !== undefined);
}

/** Each tool of version 7 has a context of its own. */
export function membersOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return types.isProxy(value) ? [value] : Object.keys(value).map((name) => ownData(value, name));
}

function followPrepareStep(run: AgentRun, original: AnyFunction, model: unknown, standIn: unknown): AnyFunction {
  const change = (result: unknown): unknown => guarded('a prepared step', () => changed(run, result), result);
  return function prepareStep(this: unknown, ...args: unknown[]): unknown {
    const [input, ...others] = args;
    const own = standIn !== undefined && ownData(input, 'model') === standIn;
    const given = own ? withMembers(input as object, { model }) : input;
    const result = Reflect.apply(original, this, [given, ...others]);
    return isThenable(result) ? Promise.resolve(result).then(change) : change(result);
  };
}

/** A step may have another model and other contexts from now on. */
function changed(run: AgentRun, result: unknown): unknown {
  if (typeof result !== 'object' || result === null || types.isProxy(result)) return result;
  for (const name of ['experimental_context', 'runtimeContext', 'toolsContext']) {
    const value = ownData(result, name);
    if (value !== undefined) run.contexts = [...(name === 'toolsContext' ? membersOf(value) : [value])];
  }
  const standIn = standInFor(run, ownData(result, 'model'));
  return standIn === undefined ? result : withMembers(result, { model: standIn });
}
