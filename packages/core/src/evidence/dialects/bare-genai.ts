import { jsonOf } from './call-arguments.js';
import { toolSign } from './tool-sign.js';
import type { Dialect } from './types.js';

/** Spans from before there were operations: a bare `gen_ai.tool.name`, or pydantic-ai's `agent_name` on `agent run`. */
export const bareGenAi: Dialect = {
  name: 'bare',
  read(span) {
    if (span.text('gen_ai.operation.name') !== undefined) return undefined;
    const tool = span.text('gen_ai.tool.name');
    if (tool !== undefined) {
      const args = jsonOf(span.value('gen_ai.tool.call.arguments')) ?? jsonOf(span.value('tool_arguments'));
      return toolSign(span, { tool, args });
    }
    const agent = span.text('agent_name');
    return agent !== undefined && /^(?:agent run$|invoke_agent )/.test(span.name) ? { role: 'run', agent } : undefined;
  },
};
