export { GoogleADKInstrumentation } from './instrumentation.js';
export type { GoogleADKInstrumentationConfig } from './types.js';
