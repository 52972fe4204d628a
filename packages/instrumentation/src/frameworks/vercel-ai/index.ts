export { VercelAIInstrumentation } from './instrumentation.js';
export type { VercelAIInstrumentationConfig } from './types.js';
