import { jsonOf } from './call-arguments.js';
import { type GraphPlace, graphNode } from './langgraph.js';
import { toolSign } from './tool-sign.js';
import { type Dialect, type ForeignSpan, MARK } from './types.js';

const PREFIX = 'langfuse.observation.';

/** Langfuse: `langfuse.observation.type`. */
export const langfuse: Dialect = {
  name: 'langfuse',
  read(span) {
    const type = span.text(`${PREFIX}type`);
    if (type === undefined) return undefined;
    const place = placeOf(span);
    switch (type) {
      case 'agent':
        return { role: 'run', agent: place.agentName ?? span.name, weak: place.agentName === undefined };
      case 'tool':
        return toolSign(span, {
          tool: span.name,
          args: jsonOf(span.value(`${PREFIX}input`)),
          place: place.path,
          agent: place.agentName,
          destination: place.destination,
          failed: hasFailed(span),
        });
      default:
        return graphNode(span.name, place) ?? (place.path === undefined ? MARK : { ...MARK, place: place.path });
    }
  },
};

/** LangGraph moves control by an error, which is none. */
function hasFailed(span: ForeignSpan): boolean | undefined {
  const level = span.text(`${PREFIX}level`);
  return level === 'ERROR' && span.text(`${PREFIX}status_message`) !== 'ParentCommand' ? true : undefined;
}

function placeOf(span: ForeignSpan): GraphPlace {
  return {
    path: span.text(`${PREFIX}metadata.langgraph_checkpoint_ns`),
    agentName: span.text(`${PREFIX}metadata.lc_agent_name`),
    destination: span.text(`${PREFIX}metadata.__handoff_destination`),
  };
}
