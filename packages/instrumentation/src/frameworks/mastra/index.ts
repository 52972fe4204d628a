export { MastraInstrumentation } from './instrumentation.js';
export type { MastraInstrumentationConfig } from './types.js';
