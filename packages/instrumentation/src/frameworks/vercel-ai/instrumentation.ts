import { FrameworkInstrumentation, type HookedModule } from '../../hooks/framework-instrumentation.js';
import type { AiModule } from './internal-types.js';
import { patchCopy, replaceExports } from './patch.js';
import { endOpenRuns } from './run-flow.js';
import type { VercelAIInstrumentationConfig } from './types.js';

const MODULES: readonly HookedModule[] = [
  {
    name: 'ai',
    supported: ['>=5.0.0 <8'],
    patch: (module, wiring) => patchCopy(module as AiModule, wiring),
    replace: (module, wiring) => replaceExports(module as AiModule, wiring),
  },
];

/**
 * Follows the delegations of the Vercel AI SDK (package `ai`, 5, 6 and 7): an agent that is called inside a tool of
 * another one. Makes an `invoke_agent` span for each run of an agent and an `execute_tool` span for each tool call of one,
 * whether or not the SDK's own telemetry is on (wire contract, section 2).
 *
 * Models and tools of a run are followed through stand-ins that pass everything on. Only where a contract enforces a side
 * does a call reject, with a `HandoffContractError`.
 */
export class VercelAIInstrumentation extends FrameworkInstrumentation<VercelAIInstrumentationConfig> {
  constructor(config: VercelAIInstrumentationConfig = {}) {
    super(config);
  }

  protected modules(): readonly HookedModule[] {
    return MODULES;
  }

  override endOpenRuns(): void {
    endOpenRuns();
  }
}
