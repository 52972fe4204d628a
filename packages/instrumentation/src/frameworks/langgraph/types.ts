import type { FrameworkInstrumentationConfig } from '../../hooks/framework-instrumentation.js';

/** Options of `LangGraphInstrumentation`. */
export type LangGraphInstrumentationConfig = FrameworkInstrumentationConfig;
