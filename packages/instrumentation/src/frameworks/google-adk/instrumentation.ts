import { FrameworkInstrumentation, type HookedModule } from '../../hooks/framework-instrumentation.js';
import type { AdkModule } from './internal-types.js';
import { patchCopy } from './patch.js';
import { endOpenRuns } from './run-flow.js';
import type { GoogleADKInstrumentationConfig } from './types.js';

const MODULES: readonly HookedModule[] = [
  {
    name: '@google/adk',
    supported: ['>=1.0.0 <3'],
    patch: (module, wiring) => patchCopy(module as AdkModule, wiring),
  },
];

/**
 * Follows the handoffs of Google's Agent Development Kit (`@google/adk`, from 1.0): transfers, agents as tools with their
 * return legs, and the agents that workflow agents run one after another (wire contract, section 2).
 *
 * The framework makes `invoke_agent` spans of its own where the application has set up OpenTelemetry. They stand inside
 * ours and say nothing of handoffs, so that a record does not depend on what the application exports.
 */
export class GoogleADKInstrumentation extends FrameworkInstrumentation<GoogleADKInstrumentationConfig> {
  constructor(config: GoogleADKInstrumentationConfig = {}) {
    super(config);
  }

  protected modules(): readonly HookedModule[] {
    return MODULES;
  }

  override endOpenRuns(): void {
    endOpenRuns();
  }
}
