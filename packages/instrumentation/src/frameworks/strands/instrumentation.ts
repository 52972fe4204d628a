import { FrameworkInstrumentation, type HookedModule } from '../../hooks/framework-instrumentation.js';
import type { StrandsModule } from './internal-types.js';
import { patchCopy } from './patch.js';
import { endOpenRuns } from './run-flow.js';
import type { StrandsInstrumentationConfig } from './types.js';

const MODULES: readonly HookedModule[] = [
  {
    name: '@strands-agents/sdk',
    supported: ['>=1.0.0 <2'],
    patch: (module, wiring) => patchCopy(module as StrandsModule, wiring),
  },
];

/**
 * Follows the handoffs of Strands (`@strands-agents/sdk`, from 1.0): those of a swarm, and agents that run inside tools with
 * their return legs (wire contract, section 2).
 *
 * The SDK makes `invoke_agent` spans of its own where the application has set up OpenTelemetry. They stand inside ours and
 * say nothing of handoffs, so that a record does not depend on what the application exports.
 */
export class StrandsInstrumentation extends FrameworkInstrumentation<StrandsInstrumentationConfig> {
  constructor(config: StrandsInstrumentationConfig = {}) {
    super(config);
  }

  protected modules(): readonly HookedModule[] {
    return MODULES;
  }

  override endOpenRuns(): void {
    endOpenRuns();
  }
}
