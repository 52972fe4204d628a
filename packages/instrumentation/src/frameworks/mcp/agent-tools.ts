import { type Contracts, resolveAgent } from '@seamtrace/contracts';
import type { McpConfig } from './types.js';

/**
 * The agent that a tool is, or `undefined` for an ordinary tool. Only what is declared counts: by the options, or by the
 * contract file, under the tool's name or the server's. The name is the one that is used, for grading to resolve.
 */
export function agentOf(
  tool: string,
  server: string | undefined,
  config: McpConfig,
  contracts: Contracts | undefined,
): string | undefined {
  const { agents } = config;
  if (agents !== undefined && Object.hasOwn(agents, tool)) return agents[tool];
  if (contracts === undefined) return undefined;
  return [tool, server].find((name) => name !== undefined && resolveAgent(contracts, name) !== undefined);
}
