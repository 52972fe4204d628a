import type { FrameworkInstrumentationConfig } from '../../hooks/framework-instrumentation.js';

/** Options of `OpenAIAgentsInstrumentation`. */
export type OpenAIAgentsInstrumentationConfig = FrameworkInstrumentationConfig;
