import type { InstrumentationConfig } from '@opentelemetry/instrumentation';
import type { Contracts } from '@seamtrace/contracts';

/** Options of `OpenAIAgentsInstrumentation`. */
export interface OpenAIAgentsInstrumentationConfig extends InstrumentationConfig {
  /**
   * The contract file, parsed. Without one every handoff is still recorded; its route, required keys and enforcement are
   * then unknown.
   */
  contracts?: Contracts;
  /** Keys the digests of `state_ref` and `integrity`. Without one neither is recorded. */
  secret?: string;
}
