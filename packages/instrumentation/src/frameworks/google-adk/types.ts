import type { FrameworkInstrumentationConfig } from '../../hooks/framework-instrumentation.js';

/** Options of {@link GoogleADKInstrumentation}: those of every framework. */
export type GoogleADKInstrumentationConfig = FrameworkInstrumentationConfig;
