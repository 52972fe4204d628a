import type { Wiring } from '../../hooks/wiring.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { wrapConvertTools, wrapGetLLM, wrapListAgents, wrapListAgentTools, wrapRun } from './agent-hooks.js';
import type { AgentModule } from './internal-types.js';
import { wrapNetwork } from './network.js';

/** One loaded copy of Mastra, patched. */
export interface PatchedCopy {
  readonly wiring: Wiring;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
  /** Keeps what takes patches of classes away that are met on the way. */
  readonly keep: (unwraps: readonly Unwrap[]) => void;
}

const PATCHED = Symbol.for('seamtrace.instrumentation.mastra.v1.patched');

/**
 * Patches the prototype of `Agent` of one copy of Mastra, once, whoever asks and from whichever build of this package.
 * Returns what takes the patches away again, or `undefined` where the copy is patched already or is none.
 */
export function patchCopy(module: AgentModule, wiring: Wiring): (() => void) | undefined {
  const agent = module.Agent?.prototype;
  if (agent === undefined || Object.hasOwn(agent, PATCHED)) return undefined;
  const unwraps: Unwrap[] = [];
  const copy: PatchedCopy = { wiring, active: true, keep: (more) => void unwraps.push(...more) };
  const wrapped = [
    wrapMethod(agent, 'generate', wrapRun(copy, 'result', false)),
    wrapMethod(agent, 'stream', wrapRun(copy, 'output', false)),
    wrapMethod(agent, 'resumeGenerate', wrapRun(copy, 'result', true)),
    wrapMethod(agent, 'resumeStream', wrapRun(copy, 'output', true)),
    wrapMethod(agent, 'generateLegacy', wrapRun(copy, 'unseen', false)),
    wrapMethod(agent, 'streamLegacy', wrapRun(copy, 'unseen', false)),
    wrapMethod(agent, 'network', wrapNetwork(copy)),
    wrapMethod(agent, 'resumeNetwork', wrapNetwork(copy)),
    wrapMethod(agent, 'convertTools', wrapConvertTools(copy)),
    wrapMethod(agent, 'listAgentTools', wrapListAgentTools(copy)),
    wrapMethod(agent, 'listAgents', wrapListAgents(copy)),
    wrapMethod(agent, 'getLLM', wrapGetLLM(copy)),
  ];
  copy.keep(wrapped.filter((unwrap): unwrap is Unwrap => unwrap !== undefined));
  Object.defineProperty(agent, PATCHED, { value: true, configurable: true });
  return () => {
    copy.active = false;
    for (const unwrap of unwraps) unwrap();
    Reflect.deleteProperty(agent, PATCHED);
  };
}
