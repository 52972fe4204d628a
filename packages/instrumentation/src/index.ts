export {
  type AcceptOptions,
  createHandoffs,
  type Handoffs,
  type HandoffsOptions,
  type IngestedOptions,
} from './create-handoffs.js';
export type { DispatchOptions } from './dispatch/options.js';
export type { EnforceOverride } from './enforce/mode.js';
export { A2AInstrumentation, type A2AInstrumentationConfig } from './frameworks/a2a/index.js';
export { GoogleADKInstrumentation, type GoogleADKInstrumentationConfig } from './frameworks/google-adk/index.js';
export { MastraInstrumentation, type MastraInstrumentationConfig } from './frameworks/mastra/index.js';
export { McpInstrumentation, type McpInstrumentationConfig } from './frameworks/mcp/index.js';
export { LangGraphInstrumentation, type LangGraphInstrumentationConfig } from './frameworks/langgraph/index.js';
export {
  OpenAIAgentsInstrumentation,
  type OpenAIAgentsInstrumentationConfig,
} from './frameworks/openai-agents/index.js';
export { VercelAIInstrumentation, type VercelAIInstrumentationConfig } from './frameworks/vercel-ai/index.js';
export { StrandsInstrumentation, type StrandsInstrumentationConfig } from './frameworks/strands/index.js';
export type { Handoff, Received } from './handoff/handle.js';
export type { TaskIdentity } from './handoff/state.js';
export { consoleWithLogContext } from './log/console.js';
export { type LogContext, logContext } from './log/log-context.js';
export { logContextFormat, type WinstonFormat } from './log/winston-format.js';
export { SeamtraceSpanProcessor } from './processor/span-processor.js';
export { A2A_HANDOFF_KEY, HANDOFF_BAGGAGE_KEY, HANDOFF_HEADER, MCP_HANDOFF_KEY } from './propagation/keys.js';
export { type MetadataKey, receivedFromMetadata, withHandoffMetadata } from './propagation/metadata.js';
export type { CounterName } from './runtime/counters.js';
export type { ContractsSource } from './runtime/load-contracts.js';
export { readCounters } from './runtime/report.js';
export { SeamtraceSampler } from './sampling/sampler.js';
export { HandoffContractError } from '@seamtrace/contracts';
export { withSourceState } from './remote/source-state.js';
