import type { AgentLike, RunnerLike } from './internal-types.js';
import { ownData } from '../../hooks/own-data.js';

/**
 * `gen_ai.provider.name` where it is exact: the agent or its runner holds a Responses model of `@openai/agents-openai`
 * itself, whose client talks to api.openai.com. A model that is only named may be resolved by any provider, and many
 * providers speak the same protocol.
 */
export function providerName(runner: RunnerLike, agent: AgentLike): string | undefined {
  const own = ownData(agent, 'model');
  const model = typeof own === 'object' && own !== null ? own : runner.config?.model;
  const baseUrl = ownData(ownData(model, '_client'), 'baseURL');
  return typeof baseUrl === 'string' && /^https:\/\/api\.openai\.com\//.test(baseUrl) ? 'openai' : undefined;
}
