import type { AnalyzerConfig } from '../config/types.js';
import type { RunningAnalyzer } from './types.js';

export declare function startAnalyzer(config: AnalyzerConfig): Promise<RunningAnalyzer>;
