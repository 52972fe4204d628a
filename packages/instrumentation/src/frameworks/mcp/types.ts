import type { FrameworkInstrumentationConfig } from '../../hooks/framework-instrumentation.js';

/** What is known of the process beside what its calls show. */
export interface McpConfig {
  readonly agent?: string | undefined;
  readonly agents?: Readonly<Record<string, string>> | undefined;
}

/** Options of `McpInstrumentation`. */
export interface McpInstrumentationConfig extends FrameworkInstrumentationConfig {
  /** The agent that this process hosts, used where neither the active run nor an accepted handoff says who calls. */
  agent?: string;
  /**
   * Tools, by name, that are agents, and which. Tools and servers that bear the name or an alias of an agent of the contract
   * file need no mention. A call to any other tool is no handoff.
   */
  agents?: Readonly<Record<string, string>>;
}
