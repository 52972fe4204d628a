import { jsonOf } from './call-arguments.js';
import { toolSign } from './tool-sign.js';
import { type Dialect, MARK } from './types.js';

/** Mastra: `mastra.span.type`. Its agents and tools carry standard operations as well; this reads what does not. */
export const mastra: Dialect = {
  name: 'mastra',
  read(span) {
    switch (span.text('mastra.span.type')) {
      case undefined:
        return undefined;
      case 'agent_run':
        return { role: 'run', agent: span.text('gen_ai.agent.name') };
      case 'tool_call':
      case 'mcp_tool_call': {
        const tool = span.text('gen_ai.tool.name');
        if (tool === undefined) return MARK;
        return toolSign(span, { tool, args: jsonOf(span.value('gen_ai.tool.call.arguments')) });
      }
      default:
        return MARK;
    }
  },
};
