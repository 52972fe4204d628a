import type { Wiring } from '../../hooks/wiring.js';
import { wrapGetAllTools, wrapGetEnabledHandoffs, wrapGetPrompt, wrapGetSystemPrompt } from './agent-hooks.js';
import type { AgentsModule } from './internal-types.js';
import { wrapAgentEmit, wrapEmit, wrapRun, wrapSetCurrentAgentSpan, wrapSetError } from './runner-hooks.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';

/** One loaded copy of the SDK, patched. */
export interface PatchedCopy {
  readonly module: AgentsModule;
  readonly wiring: Wiring;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
}

const PATCHED = Symbol.for('seamtrace.instrumentation.openai-agents.v1.patched');

/**
 * Patches the prototypes of one copy of the SDK, once, whoever asks and from whichever build of this package. Returns
 * what takes the patches away again, or `undefined` where the copy is patched already or is none.
 */
export function patchCopy(module: AgentsModule, wiring: Wiring): (() => void) | undefined {
  const runner = module.Runner?.prototype as Record<symbol, unknown> | undefined;
  const agent = module.Agent?.prototype;
  if (runner === undefined || agent === undefined || runner[PATCHED] === true) return undefined;
  const copy: PatchedCopy = { module, wiring, active: true };
  const wrapped = [
    wrapMethod(runner, 'run', wrapRun(copy)),
    wrapMethod(runner, 'emit', wrapEmit(copy)),
    wrapMethod(agent, 'emit', wrapAgentEmit(copy)),
    wrapMethod(agent, 'getEnabledHandoffs', wrapGetEnabledHandoffs(copy)),
    wrapMethod(agent, 'getAllTools', wrapGetAllTools(copy)),
    wrapMethod(agent, 'getSystemPrompt', wrapGetSystemPrompt(copy)),
    wrapMethod(agent, 'getPrompt', wrapGetPrompt(copy)),
    wrapMethod(module.RunState?.prototype, 'setCurrentAgentSpan', wrapSetCurrentAgentSpan(copy)),
    wrapMethod(module.Span?.prototype, 'setError', wrapSetError(copy)),
    wrapMethod(module.NoopSpan?.prototype, 'setError', wrapSetError(copy)),
  ].filter((unwrap): unwrap is Unwrap => unwrap !== undefined);
  Object.defineProperty(runner, PATCHED, { value: true, configurable: true });
  return () => {
    copy.active = false;
    for (const unwrap of wrapped) unwrap();
    delete runner[PATCHED];
  };
}
