import { FrameworkInstrumentation, type HookedModule } from '../../hooks/framework-instrumentation.js';
import type { AgentsModule } from './internal-types.js';
import { patchCopy } from './patch.js';
import { endOpenRuns } from './run-flow.js';
import type { OpenAIAgentsInstrumentationConfig } from './types.js';

const MODULES: readonly HookedModule[] = [
  {
    name: '@openai/agents-core',
    supported: ['>=0.3.0 <1'],
    patch: (module, wiring) => patchCopy(module as AgentsModule, wiring),
  },
];

/**
 * Follows the handoffs of the OpenAI Agents SDK (`@openai/agents`, `@openai/agents-core`, from 0.3) and makes the
 * `invoke_agent` and `execute_tool` spans that the SDK does not make (wire contract, section 2).
 *
 * Prototypes of the exact copy that is loaded are patched. Nothing of the application's is replaced or called, and what
 * passes through is not changed; only where a contract enforces a side does a run reject, with a `HandoffContractError`.
 */
export class OpenAIAgentsInstrumentation extends FrameworkInstrumentation<OpenAIAgentsInstrumentationConfig> {
  constructor(config: OpenAIAgentsInstrumentationConfig = {}) {
    super(config);
  }

  protected modules(): readonly HookedModule[] {
    return MODULES;
  }

  override endOpenRuns(): void {
    endOpenRuns();
  }
}
