import type { AnyFunction } from '../../hooks/any-function.js';
import { elements, ownData } from '../../hooks/own-data.js';
import { guarded } from '../../runtime/report.js';
import { runReads } from './destination.js';
import type { AgentRun } from './run.js';

const CALLS: ReadonlySet<PropertyKey> = new Set(['doGenerate', 'doStream']);

/**
 * A stand-in for the model of one run: everything is the model's own, and its calls tell what the model reads. The model
 * itself is left alone, since other runs use it too. `undefined` for what cannot be stood in for.
 */
export function standInFor(run: AgentRun, model: unknown): object | undefined {
  if (typeof model !== 'object' || model === null || hasFixedCalls(model)) return undefined;
  return new Proxy(model, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (!CALLS.has(name) || typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const prompt = elements(ownData(args[0], 'prompt'));
        const error = guarded('a model call', () => runReads(run, prompt), undefined);
        return error === undefined ? Reflect.apply(value as AnyFunction, target, args) : Promise.reject(error);
      };
    },
  });
}

/** A member that can never change cannot be answered for otherwise. */
function hasFixedCalls(model: object): boolean {
  return [...CALLS].some((name) => {
    const own = Object.getOwnPropertyDescriptor(model, name);
    return own !== undefined && own.configurable === false;
  });
}
