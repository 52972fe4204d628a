import type { FrameworkInstrumentationConfig } from '../../hooks/framework-instrumentation.js';

/** Options of `MastraInstrumentation`. */
export type MastraInstrumentationConfig = FrameworkInstrumentationConfig;
