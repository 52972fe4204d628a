import { type JsonMembers, jsonOf, membersOf, textIn } from './call-arguments.js';
import { type GraphPlace, graphNode } from './langgraph.js';
import { toolSign } from './tool-sign.js';
import { type Dialect, type ForeignSign, type ForeignSpan, MARK } from './types.js';

const HANDOFF = /^handoff to (.+)$/;

/** OpenInference (Arize): `openinference.span.kind`. */
export const openInference: Dialect = {
  name: 'openinference',
  read(span) {
    switch (span.text('openinference.span.kind')) {
      case undefined:
        return undefined;
      case 'AGENT':
        return agent(span);
      case 'TOOL':
        return tool(span);
      case 'CHAIN':
      case 'LLM':
        return node(span) ?? MARK;
      default:
        return MARK;
    }
  },
};

function agent(span: ForeignSpan): ForeignSign {
  const stated = span.text('agent.name') ?? span.text('graph.node.id');
  // Other instrumentations write there what stands above an agent in a graph, which is no handoff.
  const receivedFrom = /openai[-_.]agents/.test(span.scope) ? span.text('graph.node.parent_id') : undefined;
  return { role: 'run', agent: stated ?? span.name, weak: stated === undefined, receivedFrom };
}

function tool(span: ForeignSpan): ForeignSign {
  const handoff = HANDOFF.exec(span.name);
  if (handoff !== null) return handoffSpan(span, handoff[1]);
  const place = placeOf(span);
  return toolSign(span, {
    tool: span.text('tool.name') ?? span.name,
    args: argsOf(span),
    agent: place.agentName,
    place: place.path,
    destination: place.destination,
  });
}

/** JavaScript writes an object about each side, Python the bare name, and either a mask where content is hidden. */
function handoffSpan(span: ForeignSpan, named: string | undefined): ForeignSign {
  const from = membersOf(span.value('input.value'));
  const to = membersOf(span.value('output.value'));
  const target = textIn(to, 'to_agent') ?? named;
  return { role: 'ask', agent: textIn(from, 'from_agent'), target, stated: true, mode: 'transfer' };
}

/** A tool with one argument of text gets it bare; where content is hidden, its type is hidden with it. */
function argsOf(span: ForeignSpan): ReturnType<typeof jsonOf> {
  const json = jsonOf(span.value('input.value'));
  if (json !== undefined) return json;
  const bare = span.text('input.value');
  return span.text('input.mime_type') === undefined ? undefined : bare;
}

function node(span: ForeignSpan): ForeignSign | undefined {
  const place = placeOf(span);
  return graphNode(span.name, place) ?? (place.path === undefined ? undefined : { ...MARK, place: place.path });
}

function placeOf(span: ForeignSpan): GraphPlace {
  const metadata: JsonMembers | undefined = membersOf(span.value('metadata'));
  return {
    path: textIn(metadata, 'langgraph_checkpoint_ns', 'checkpoint_ns'),
    agentName: textIn(metadata, 'lc_agent_name'),
    destination: textIn(metadata, '__handoff_destination'),
  };
}
