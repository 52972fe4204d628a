import type { FrameworkInstrumentationConfig } from '../../hooks/framework-instrumentation.js';

/** Options of `VercelAIInstrumentation`. */
export type VercelAIInstrumentationConfig = FrameworkInstrumentationConfig;
