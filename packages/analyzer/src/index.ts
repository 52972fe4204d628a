export { ANALYZER_DEFAULTS } from './config/defaults.js';
export { resolveAnalyzerConfig } from './config/resolve.js';
export type {
  AnalyzerConfig,
  AnalyzerOptions,
  ConfigProblem,
  ListenAddress,
  ResolveConfigResult,
  SecurityOptions,
} from './config/types.js';
export { startAnalyzer } from './runtime/start.js';
export type { LeftBehind, RunningAnalyzer, StopReport } from './runtime/types.js';
export type { Durability } from './journal/journal.js';
