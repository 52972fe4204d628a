import type { TracerProvider } from '@opentelemetry/api';
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
  /**
   * Where spans go while the application has registered no tracer provider of its own. Asked at the start of each
   * outermost run, so that the application's provider takes over as soon as there is one.
   */
  fallbackTracerProvider?: () => TracerProvider | undefined;
}
