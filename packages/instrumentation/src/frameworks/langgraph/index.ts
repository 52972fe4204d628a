export { LangGraphInstrumentation } from './instrumentation.js';
export type { LangGraphInstrumentationConfig } from './types.js';
