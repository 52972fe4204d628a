/** One framework that `register` hooks. */
export interface Framework {
  /** Its folder below `src/frameworks`, and its name in `SEAMTRACE_FRAMEWORKS`. */
  readonly folder: string;
  /** The class that the folder's `index.ts` exports. */
  readonly exportName: string;
  /** The package that a user installs; its version is the one that is told at start. */
  readonly name: string;
  /** Exact specifiers that are hooked when imported. Everything else is loaded as without us. */
  readonly imports: readonly string[];
  /**
   * Of these, the ones whose exports the instrumentation replaces. They are loaded through a wrapper module; all others,
   * whose prototypes are patched, are loaded as they are.
   */
  readonly replaced?: readonly string[];
}

/** All frameworks that `register` knows, one entry each, by name. Their code is loaded only where they are installed. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    folder: 'a2a',
    exportName: 'A2AInstrumentation',
    name: '@a2a-js/sdk',
    imports: ['@a2a-js/sdk/client', '@a2a-js/sdk/server'],
  },
  {
    folder: 'google-adk',
    exportName: 'GoogleADKInstrumentation',
    name: '@google/adk',
    imports: ['@google/adk'],
  },
  {
    folder: 'langgraph',
    exportName: 'LangGraphInstrumentation',
    name: '@langchain/langgraph',
    imports: [
      '@langchain/core/tools',
      '@langchain/langgraph',
      '@langchain/langgraph/pregel',
      '@langchain/langgraph/web',
    ],
  },
  {
    folder: 'mastra',
    exportName: 'MastraInstrumentation',
    name: '@mastra/core',
    imports: ['@mastra/core/agent'],
  },
  {
    folder: 'mcp',
    exportName: 'McpInstrumentation',
    name: '@modelcontextprotocol/sdk',
    imports: [
      '@modelcontextprotocol/sdk/client',
      '@modelcontextprotocol/sdk/client/index.js',
      '@modelcontextprotocol/sdk/server',
      '@modelcontextprotocol/sdk/server/index.js',
      '@modelcontextprotocol/sdk/server/mcp.js',
    ],
  },
  {
    folder: 'openai-agents',
    exportName: 'OpenAIAgentsInstrumentation',
    name: '@openai/agents',
    imports: ['@openai/agents-core'],
  },
  {
    folder: 'vercel-ai',
    exportName: 'VercelAIInstrumentation',
    name: 'ai',
    imports: ['ai'],
    replaced: ['ai'],
  },
  {
    folder: 'strands',
    exportName: 'StrandsInstrumentation',
    name: '@strands-agents/sdk',
    imports: ['@strands-agents/sdk'],
  },
];
