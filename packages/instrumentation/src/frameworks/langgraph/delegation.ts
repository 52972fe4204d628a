import type { HandoffContractError } from '@seamtrace/contracts';
import { deriveHandoffId } from '../../handoff/id.js';
import { startRun } from '../../hooks/agent-run.js';
import { beginHandoff, endHandoff, refuseHandoff } from '../../hooks/handoff.js';
import { ingest, ingestBeside } from '../../hooks/ingest.js';
import { elements, ownData } from '../../hooks/own-data.js';
import { consumerContext, PREFIX } from './handoff-flow.js';
import { viewOfGraph } from './destination.js';
import type { GraphRun, ToolRun } from './runs.js';
import { concludeAnswer, concludeDelegation, destinationOf } from './stages.js';
import { readState } from './state.js';
import { graphName, isAgentGraph } from './topology.js';

/**
 * An agent's graph runs inside of another agent's tool call: a delegation, from the agent that called the tool to the one
 * by whose name the graph goes. Returns the error with which an enforcing producer refuses it.
 */
export function delegate(graphRun: GraphRun): HandoffContractError | undefined {
  const { tool, graph, wiring, thread, nonce, now } = graphRun;
  const owner = tool?.owner;
  if (tool === undefined || owner === undefined || !isAgentGraph(graph, wiring.contracts())) return undefined;
  const to = graphName(graph);
  const parts = [thread ?? nonce, tool.taskId, tool.callId ?? '', tool.delegations.length];
  if (to === undefined || to === owner.agent) {
    // Without a name there is nobody to hand over to; its tools still have an owner.
    graphRun.run = startRun({
      wiring,
      agent: to ?? 'LangGraph',
      context: graphRun.base,
      conversationId: thread,
      now,
    });
    return undefined;
  }
  const { task } = owner.record;
  const handoff = beginHandoff({
    wiring,
    source: owner.agent,
    target: to,
    prefix: PREFIX,
    idParts: parts,
    task,
    subtaskId: deriveHandoffId('lgt', parts),
    context: graphRun.base,
    from: owner.ended ? undefined : owner.record,
    mode: 'delegation',
    startTime: now(),
  });
  concludeDelegation(handoff, graphRun, tool);
  const error = refuseHandoff(handoff, 'source') ?? refuseHandoff(handoff, 'payload');
  if (error !== undefined) return error;
  endHandoff(handoff, 'dispatched', { at: now() });
  graphRun.delegated = handoff;
  tool.delegations.push({ handoff, task, to, state: undefined });
  graphRun.run = startRun({
    wiring,
    agent: to,
    context: consumerContext(graphRun.base, [handoff]),
    startedBy: [handoff],
    conversationId: thread,
    now,
  });
  return undefined;
}

/** The delegate's graph begins. Returns the error with which an enforcing consumer rejects what came. */
export function ingestDelegation(graphRun: GraphRun): HandoffContractError | undefined {
  const { run, delegated } = graphRun;
  if (run === undefined || delegated === undefined) return undefined;
  const view = viewOfGraph(graphRun, undefined);
  return ingest(run, (_, handoff) => destinationOf(handoff, view, graphRun.loop.config, undefined));
}

/** The delegate is done; what it knows at its end is what it can answer with. */
export function endDelegation(graphRun: GraphRun, failed: boolean): void {
  const delegation = graphRun.tool?.delegations.find(({ handoff }) => handoff === graphRun.delegated);
  if (delegation !== undefined && !failed) delegation.state = readState(graphRun.graph, graphRun.loop);
}

/** The tool gives back what its delegates brought: the return leg of each. */
export function answer(tool: ToolRun, result: unknown): void {
  const { owner } = tool;
  if (owner === undefined || owner.ended) return;
  for (const delegation of tool.delegations) {
    if (delegation.state === undefined) continue;
    const { handoff: forward, task, to, state } = delegation;
    const handoff = beginHandoff({
      wiring: owner.wiring,
      source: to,
      target: owner.agent,
      prefix: PREFIX,
      idParts: [forward.state.id, 'return'],
      task,
      context: tool.call?.context ?? owner.context,
      mode: 'delegation',
      leg: 'return',
      inReplyTo: forward.state,
      startTime: owner.now(),
    });
    const capture = concludeAnswer(handoff, state, contentOf(result));
    endHandoff(handoff, 'dispatched', { at: owner.now() });
    ingestBeside(owner, handoff, capture);
  }
}

/** What the model reads of a tool's result. */
function contentOf(result: unknown): unknown {
  const content = ownData(result, 'tool_call_id') === undefined ? result : ownData(result, 'content');
  if (!Array.isArray(content)) return content;
  const [part, ...others] = elements(content);
  return others.length === 0 ? ownData(part, 'text') : undefined;
}
