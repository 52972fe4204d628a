export { ANALYZER_DEFAULTS } from './config/defaults.js';
export { parseConfigFile } from './config/file.js';
export { parseListenAddress } from './config/listen.js';
export type { ParseListenResult } from './config/listen.js';
export { resolveAnalyzerConfig } from './config/resolve.js';
export type {
  AnalyzerConfig,
  AnalyzerOptions,
  ConfigFile,
  ConfigProblem,
  Durability,
  ListenAddress,
  ParseConfigFileResult,
  ResolveConfigResult,
} from './config/types.js';
export { startAnalyzer } from './runtime/start.js';
export type { LeftBehind, RunningAnalyzer, StopReport } from './runtime/types.js';
