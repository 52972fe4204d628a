import type { AnyFunction } from '../../hooks/any-function.js';
import { elements, memberOf, ownData } from '../../hooks/own-data.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { guarded } from '../../runtime/report.js';
import { runReads } from './destination.js';
import { currentScope } from './run-scope.js';

// Mastra calls every model through a class of its own, whatever the application configured. Those classes are not
// exported: each is met when an agent resolves its model.
const MODEL_CLASSES: ReadonlySet<unknown> = new Set([
  'AISDKV4LegacyLanguageModel',
  'AISDKV5LanguageModel',
  'AISDKV6LanguageModel',
  'AISDKV7LanguageModel',
  'ModelRouterLanguageModel',
]);

const PATCHED = Symbol.for('seamtrace.instrumentation.mastra.v1.model');

/** Patches the class of a resolved model, once. Returns what takes the patches away again. */
export function patchModelClass(model: unknown, active: () => boolean): readonly Unwrap[] {
  const prototype = classPrototype(model, MODEL_CLASSES);
  if (prototype === undefined || Object.hasOwn(prototype, PATCHED)) return [];
  Object.defineProperty(prototype, PATCHED, { value: true, configurable: true });
  const wrap = (original: AnyFunction): AnyFunction =>
    function call(this: unknown, ...args: unknown[]): unknown {
      const run = active() ? currentScope()?.run : undefined;
      const error =
        run === undefined || run.followed.ended
          ? undefined
          : guarded('a model call', () => runReads(run, elements(ownData(args[0], 'prompt'))), undefined);
      return error === undefined ? Reflect.apply(original, this, args) : Promise.reject(error);
    };
  const wrapped = [wrapMethod(prototype, 'doGenerate', wrap), wrapMethod(prototype, 'doStream', wrap)];
  return [
    ...wrapped.filter((unwrap): unwrap is Unwrap => unwrap !== undefined),
    () => Reflect.deleteProperty(prototype, PATCHED),
  ];
}

/**
 * The prototype of an object whose class has one of the names; `undefined` for any other. The object comes from Mastra, and
 * may be a Proxy of Mastra's that traps reads only.
 */
export function classPrototype(value: unknown, names: ReadonlySet<unknown>): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype = Object.getPrototypeOf(value) as object | null;
  const constructor = ownData(prototype, 'constructor');
  const name = typeof constructor === 'function' ? memberOf(constructor, 'name').value : undefined;
  return prototype !== null && names.has(name) ? prototype : undefined;
}
