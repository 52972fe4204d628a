import { elements, ownData, text } from '../../hooks/own-data.js';

/**
 * Names of the tools that an agent is declared with. `undefined` where they cannot be told without running the
 * application's code: tools of an MCP server are listed when they are asked for.
 */
export function declaredTools(agent: unknown): readonly string[] | undefined {
  if (elements(ownData(agent, 'mcpServers')).length > 0) return undefined;
  const tools = ownData(agent, 'tools');
  return Array.isArray(tools) ? namesOf(tools) : undefined;
}

/** Names of tools in a list of the SDK's; `undefined` where one of them has none that can be read. */
export function namesOf(tools: unknown): readonly string[] | undefined {
  if (!Array.isArray(tools)) return undefined;
  const names = elements(tools).map((tool) => text(ownData(tool, 'name')));
  return names.every((name) => name !== undefined) ? names : undefined;
}
