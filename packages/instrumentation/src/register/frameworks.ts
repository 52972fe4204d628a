import { OpenAIAgentsInstrumentation } from '../frameworks/openai-agents/index.js';
import type { FrameworkInstrumentation, FrameworkInstrumentationConfig } from '../hooks/framework-instrumentation.js';

/** One framework that `register` hooks. */
export interface Framework {
  /** The package that a user installs. */
  readonly name: string;
  /** Exact specifiers, and subpath files, that are hooked when imported. Everything else is loaded at no cost. */
  readonly imports: readonly string[];
  readonly create: (config: FrameworkInstrumentationConfig) => FrameworkInstrumentation;
}

/** All frameworks that `register` knows, one entry each, by name. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    name: '@openai/agents',
    imports: ['@openai/agents-core'],
    create: (config) => new OpenAIAgentsInstrumentation(config),
  },
];
