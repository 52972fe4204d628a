import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import type { Wiring } from '../../hooks/wiring.js';
import { wrapCompile } from './built-inside.js';
import { wrapRunLoop } from './graph-hooks.js';
import { wrapToolInvoke } from './tool-calls.js';

/** One loaded copy of a package, patched. */
export interface PatchedCopy {
  readonly wiring: Wiring;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
}

const PATCHED = Symbol.for('seamtrace.instrumentation.langgraph.v1.patched');

/**
 * Patches `_runLoop` of the class that all graphs of one copy of LangGraph share, wherever an export leads to it. Every
 * way to run a graph goes through it: `invoke`, `stream`, `streamEvents`, and a graph as the node of another.
 */
export function patchGraphs(module: object, wiring: Wiring): (() => void) | undefined {
  const { CompiledStateGraph, Pregel, StateGraph } = module as Record<
    string,
    { readonly prototype?: object } | undefined
  >;
  const holder = holderOf(Pregel?.prototype ?? CompiledStateGraph?.prototype, '_runLoop');
  const builder = StateGraph?.prototype;
  const unpatches = [
    patchPrototype(holder, (copy) => [wrapMethod(holder, '_runLoop', wrapRunLoop(copy))], wiring),
    patchPrototype(builder, (copy) => [wrapMethod(builder, 'compile', wrapCompile(copy))], wiring),
  ].filter((unpatch) => unpatch !== undefined);
  return unpatches.length === 0 ? undefined : () => unpatches.forEach((unpatch) => unpatch());
}

/** Patches `invoke` of the class of all structured tools of one copy of `@langchain/core`. */
export function patchTools(module: object, wiring: Wiring): (() => void) | undefined {
  const { StructuredTool } = module as Record<string, { readonly prototype?: object } | undefined>;
  const prototype = StructuredTool?.prototype;
  return patchPrototype(prototype, (copy) => [wrapMethod(prototype, 'invoke', wrapToolInvoke(copy))], wiring);
}

function patchPrototype(
  prototype: object | undefined,
  wrap: (copy: PatchedCopy) => readonly (Unwrap | undefined)[],
  wiring: Wiring,
): (() => void) | undefined {
  const holder = prototype as Record<symbol, unknown> | undefined;
  if (holder === undefined || Object.hasOwn(holder, PATCHED)) return undefined;
  const copy: PatchedCopy = { wiring, active: true };
  const wrapped = wrap(copy).filter((unwrap): unwrap is Unwrap => unwrap !== undefined);
  if (wrapped.length === 0) return undefined;
  Object.defineProperty(holder, PATCHED, { value: true, configurable: true });
  return () => {
    copy.active = false;
    for (const unwrap of wrapped) unwrap();
    delete holder[PATCHED];
  };
}

function holderOf(prototype: object | undefined, method: string): object | undefined {
  let holder: object | null | undefined = prototype;
  while (holder !== null && holder !== undefined && !Object.hasOwn(holder, method))
    holder = Object.getPrototypeOf(holder) as object | null;
  return holder ?? undefined;
}
