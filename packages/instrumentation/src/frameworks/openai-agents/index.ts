export { OpenAIAgentsInstrumentation } from './instrumentation.js';
export type { OpenAIAgentsInstrumentationConfig } from './types.js';
