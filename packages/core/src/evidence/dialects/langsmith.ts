import { type GraphPlace, graphNode } from './langgraph.js';
import { wrappedArguments } from './otel-genai.js';
import { toolSign } from './tool-sign.js';
import { type Dialect, type ForeignSpan, MARK } from './types.js';

/**
 * LangSmith's OpenTelemetry export: `langsmith.span.kind`. Its attributes are those of whichever inner run ended last; only
 * the span's name and parent are its own.
 */
export const langSmith: Dialect = {
  name: 'langsmith',
  read(span) {
    const kind = span.text('langsmith.span.kind');
    if (kind === undefined) return undefined;
    const place = placeOf(span);
    if (kind === 'tool') {
      const args = wrappedArguments(span.value('gen_ai.prompt'));
      const tool = span.text('gen_ai.tool.name') ?? span.name;
      return toolSign(span, { tool, args, place: place.path, agent: place.agentName, destination: place.destination });
    }
    return graphNode(span.name, place) ?? (place.path === undefined ? MARK : { ...MARK, place: place.path });
  },
};

function placeOf(span: ForeignSpan): GraphPlace {
  return {
    path: span.text('langsmith.metadata.langgraph_checkpoint_ns'),
    agentName: span.text('langsmith.metadata.lc_agent_name'),
    destination: span.text('langsmith.metadata.__handoff_destination'),
  };
}
