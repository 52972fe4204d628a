export { A2AInstrumentation } from './instrumentation.js';
export type { A2AInstrumentationConfig } from './types.js';
