import type { Wiring } from '../../hooks/wiring.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { wrapCall, wrapPrepareCall } from './agent-hooks.js';
import type { AiModule } from './internal-types.js';

/** One loaded copy of the SDK, patched. */
export interface PatchedCopy {
  readonly wiring: Wiring;
  /** Its agents prepare their calls in a method, as from version 6. */
  readonly prepares: boolean;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
}

const PATCHED = Symbol.for('seamtrace.instrumentation.vercel-ai.v1.patched');

/**
 * Patches the agent class of one copy of the SDK, once, whoever asks and from whichever build of this package. Returns
 * what takes the patches away again, or `undefined` where the copy is patched already or is none.
 */
export function patchCopy(module: AiModule, wiring: Wiring): (() => void) | undefined {
  const agent = (module.ToolLoopAgent ?? module.Experimental_Agent)?.prototype;
  if (agent === undefined || Object.hasOwn(agent, PATCHED)) return undefined;
  const copy: PatchedCopy = { wiring, prepares: 'prepareCall' in agent, active: true };
  const wrapped = [
    wrapMethod(agent, 'generate', wrapCall(copy, 'result')),
    wrapMethod(agent, 'stream', wrapCall(copy, 'stream')),
    wrapMethod(agent, 'prepareCall', wrapPrepareCall(copy)),
  ].filter((unwrap): unwrap is Unwrap => unwrap !== undefined);
  Object.defineProperty(agent, PATCHED, { value: true, configurable: true });
  return () => {
    copy.active = false;
    for (const unwrap of wrapped) unwrap();
    Reflect.deleteProperty(agent, PATCHED);
  };
}
