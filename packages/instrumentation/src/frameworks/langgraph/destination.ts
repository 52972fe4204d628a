import type { HandoffContractError } from '@seamtrace/contracts';
import type { FollowedRun } from '../../hooks/agent-run.js';
import { ingest } from '../../hooks/ingest.js';
import { ownData } from '../../hooks/own-data.js';
import { rewritten } from './carriers.js';
import { builtInside } from './built-inside.js';
import type { GraphRun, NodeRun } from './runs.js';
import { destinationOf } from './stages.js';
import { readState, stateChannels } from './state.js';

/** What an agent can read as it begins. */
export interface View {
  readonly values: unknown;
  readonly whole: boolean;
  /** Keys may have gone where they cannot be seen. */
  readonly hidden: boolean;
  /** Keys that the node is declared to read, where it has an input schema of its own. */
  readonly reads?: readonly string[] | undefined;
}

/** The input of a node that is a function: what its own input schema lets through. */
export function viewOfInput(node: NodeRun): View {
  return { values: node.task.input, whole: true, hidden: false, reads: declaredReads(node) };
}

/** The state of an agent's own graph as its first node finds it: what the graph's schema has let in. */
export function viewOfGraph({ graph, loop }: GraphRun, node: NodeRun | undefined): View {
  const { values, whole } = readState(graph, loop);
  const isNode = node?.graphRun.graph.nodes[node.task.name]?.bound === (graph as unknown);
  // A function between the two may have put a key into words of its own, or into the prompt of an agent that it builds.
  const before = node === undefined ? undefined : ownData(node.task.input, 'messages');
  const hidden = builtInside(graph) || (!isNode && node !== undefined && rewritten(before, values['messages']));
  return { values, whole, hidden, reads: node === undefined ? undefined : declaredReads(node) };
}

/** The agent takes up its work: destination evidence of every handoff that started it. The first view counts. */
export function ingestView(node: NodeRun, run: FollowedRun, view: View): HandoffContractError | undefined {
  return ingest(
    run,
    (_, handoff) => destinationOf(handoff, view, node.task.config, node.callIds.get(handoff)),
    view.reads,
  );
}

/** Only a schema that leaves something of the state out says what a node reads. */
function declaredReads({ graphRun, task, sent }: NodeRun): readonly string[] | undefined {
  const { channels } = graphRun.graph.nodes[task.name] ?? {};
  if (sent || typeof channels !== 'object' || channels === null || Array.isArray(channels)) return undefined;
  const reads = Object.keys(channels);
  const state = stateChannels(graphRun.graph);
  return reads.length < state.length ? reads.filter((name) => name !== 'messages') : undefined;
}
