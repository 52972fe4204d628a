export { McpInstrumentation } from './instrumentation.js';
export type { McpInstrumentationConfig } from './types.js';
