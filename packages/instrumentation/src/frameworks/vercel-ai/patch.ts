import type { AnyFunction } from '../../hooks/any-function.js';
import type { Wiring } from '../../hooks/wiring.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { guarded } from '../../runtime/report.js';
import { wrapCall, wrapFunction, wrapPrepareCall } from './agent-hooks.js';
import type { AiModule } from './internal-types.js';
import { noteMade } from './made-at-work.js';

/** One loaded copy of the SDK, patched. */
export interface PatchedCopy {
  readonly wiring: Wiring;
  /** Its agents prepare their calls in a method, as from version 6. */
  readonly prepares: boolean;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
}

const PATCHED = Symbol.for('seamtrace.instrumentation.vercel-ai.v1.patched');

const FUNCTIONS = { generateText: 'result', streamText: 'stream' } as const;

/**
 * Patches one copy of the SDK, once, whoever asks and from whichever build of this package: the class of its agents, and
 * the functions that are agents by themselves where its exports can be replaced. Returns what takes the patches away
 * again, or `undefined` where the copy is patched already or is none.
 */
export function patchCopy(module: AiModule, wiring: Wiring): (() => void) | undefined {
  const undo = [patchAgents(module, wiring), patchFunctions(module, wiring)];
  if (undo.every((each) => each === undefined)) return undefined;
  return () => {
    for (const each of undo) each?.();
  };
}

/**
 * What is given to `require` in the place of exports that nobody can replace. `undefined` where theirs can be, or are.
 */
export function replaceExports(module: AiModule, wiring: Wiring): object | undefined {
  const { generateText } = module;
  if (typeof generateText !== 'function' || isPatched(generateText)) return undefined;
  const copy = Object.create(Object.getPrototypeOf(module) as object | null) as object;
  const members = Object.getOwnPropertyDescriptors(module) as Record<string, PropertyDescriptor>;
  for (const name of Object.keys(FUNCTIONS)) {
    const { enumerable } = members[name] ?? {};
    const value = module[name as keyof typeof FUNCTIONS];
    if (enumerable !== undefined) members[name] = { value, enumerable, writable: true, configurable: true };
  }
  Object.defineProperties(copy, members);
  patchFunctions(copy as AiModule, wiring);
  return copy;
}

function patchAgents(module: AiModule, wiring: Wiring): (() => void) | undefined {
  const agent = (module.ToolLoopAgent ?? module.Experimental_Agent)?.prototype;
  if (agent === undefined || Object.hasOwn(agent, PATCHED)) return undefined;
  const copy: PatchedCopy = { wiring, prepares: 'prepareCall' in agent, active: true };
  const wrapped = [
    wrapMethod(agent, 'generate', wrapCall(copy, 'result')),
    wrapMethod(agent, 'stream', wrapCall(copy, 'stream')),
    wrapMethod(agent, 'prepareCall', wrapPrepareCall(copy)),
    watchMaking(agent),
  ].filter((unwrap): unwrap is Unwrap => unwrap !== undefined);
  Object.defineProperty(agent, PATCHED, { value: true, configurable: true });
  return () => {
    copy.active = false;
    for (const unwrap of wrapped) unwrap();
    Reflect.deleteProperty(agent, PATCHED);
  };
}

/** The constructor assigns the settings: that is when an agent is made. They become the own member that they are without us. */
function watchMaking(prototype: object): Unwrap | undefined {
  if ('settings' in prototype) return undefined;
  Object.defineProperty(prototype, 'settings', {
    configurable: true,
    get: () => undefined,
    set(this: object, value: unknown) {
      Object.defineProperty(this, 'settings', { value, writable: true, enumerable: true, configurable: true });
      guarded('an agent that is made', () => noteMade(this), undefined);
    },
  });
  return () => Reflect.deleteProperty(prototype, 'settings');
}

function patchFunctions(module: AiModule, wiring: Wiring): (() => void) | undefined {
  const copy: PatchedCopy = { wiring, prepares: false, active: true };
  const exports = module as Record<string, unknown>;
  let patched = false;
  for (const [name, ending] of Object.entries(FUNCTIONS)) {
    const original = exports[name];
    if (typeof original !== 'function' || isPatched(original)) continue;
    const wrapper = wrapFunction(copy, ending)(original as AnyFunction);
    Object.defineProperty(wrapper, 'name', { value: original.name, configurable: true });
    Object.defineProperty(wrapper, 'length', { value: original.length, configurable: true });
    Object.defineProperty(wrapper, PATCHED, { value: true });
    // The namespace of an ES module, and exports that are accessors, refuse it without an error.
    patched = setMember(exports, name, wrapper) || patched;
  }
  if (!patched) return undefined;
  return () => {
    copy.active = false;
  };
}

function setMember(exports: Record<string, unknown>, name: string, value: unknown): boolean {
  try {
    return Reflect.set(exports, name, value) && exports[name] === value;
  } catch {
    return false;
  }
}

function isPatched(value: object): boolean {
  return Object.hasOwn(value, PATCHED);
}
