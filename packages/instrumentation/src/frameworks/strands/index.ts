export { StrandsInstrumentation } from './instrumentation.js';
export type { StrandsInstrumentationConfig } from './types.js';
