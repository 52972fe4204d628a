/** How frameworks name the tool by which a model asks for a handoff. */
const TRANSFER_TOOLS: readonly RegExp[] = [
  /^(?:transfer|hand_?off)(?:_| |-)to(?:_| |-)/i, // OpenAI Agents, LangGraph, Agent Framework, AutoGen, ADK, Strands
  /^hand_?off$/i, // LlamaIndex
  /^agent-/, // Mastra
  /^delegate(?:_task| work to coworker)$/i, // VoltAgent, CrewAI
  /^ask question to coworker$/i, // CrewAI
];

/** The tool hands over to an agent, so that calling it is no work of its own. */
export function isTransferTool(tool: string): boolean {
  return TRANSFER_TOOLS.some((pattern) => pattern.test(tool));
}
