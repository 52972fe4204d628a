import type { FrameworkInstrumentationConfig } from '../../hooks/framework-instrumentation.js';

/** Options of {@link StrandsInstrumentation}: those of every framework. */
export type StrandsInstrumentationConfig = FrameworkInstrumentationConfig;
