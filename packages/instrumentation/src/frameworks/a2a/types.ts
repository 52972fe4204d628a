import type { FrameworkInstrumentationConfig } from '../../hooks/framework-instrumentation.js';

/** What is known of the process beside what its calls show. */
export interface A2AConfig {
  /** The agent that this process hosts, for calls that no run and no accepted handoff surrounds. */
  readonly agent?: string | undefined;
}

/** Options of `A2AInstrumentation`. */
export interface A2AInstrumentationConfig extends FrameworkInstrumentationConfig {
  /** The agent that this process hosts, used where neither the active run nor an accepted handoff says who calls. */
  agent?: string;
}
