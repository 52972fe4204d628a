import { FrameworkInstrumentation, type HookedModule } from '../../hooks/framework-instrumentation.js';
import type { AgentModule } from './internal-types.js';
import { patchCopy } from './patch.js';
import { endOpenRuns } from './run-flow.js';
import type { MastraInstrumentationConfig } from './types.js';

const MODULES: readonly HookedModule[] = [
  {
    name: '@mastra/core',
    files: ['dist/agent/index.js', 'dist/agent/index.cjs'],
    supported: ['>=1.1.0 <2'],
    patch: (module, wiring) => patchCopy(module as AgentModule, wiring),
  },
];

/**
 * Follows the delegations of Mastra (`@mastra/core`, from 1.1) and makes the `invoke_agent` and `execute_tool` spans of
 * its agents (wire contract, section 2).
 *
 * The prototype of `Agent` of the exact copy that is loaded is patched. No hook, filter or callback is given to Mastra, and
 * what passes through is not changed; only where a contract enforces a side does a call reject, with a
 * `HandoffContractError`.
 */
export class MastraInstrumentation extends FrameworkInstrumentation<MastraInstrumentationConfig> {
  constructor(config: MastraInstrumentationConfig = {}) {
    super(config);
  }

  protected modules(): readonly HookedModule[] {
    return MODULES;
  }

  override endOpenRuns(): void {
    endOpenRuns();
  }
}
