/**
 * Agent frameworks that hand work from one agent to another and that `register` does not hook. Where one is installed, the
 * line at start names it, so that nobody waits for verdicts on its handoffs.
 */
export const NOT_HOOKED: readonly string[] = [
  '@anthropic-ai/claude-agent-sdk',
  '@elizaos/core',
  '@inngest/agent-kit',
  '@llamaindex/workflow',
  '@voltagent/core',
  'agent-squad',
  'bee-agent-framework',
  'beeai-framework',
  'crewai',
  'genkit',
  'kaibanjs',
  'llamaindex',
  'multi-agent-orchestrator',
];
