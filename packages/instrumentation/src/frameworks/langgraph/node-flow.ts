import type { HandoffContractError } from '@seamtrace/contracts';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import { endRun, startRun } from '../../hooks/agent-run.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import { ownData } from '../../hooks/own-data.js';
import { guarded } from '../../runtime/report.js';
import { ingestView, viewOfInput } from './destination.js';
import { consumerContext, dropRequests, joinedTask, openHandoffs } from './handoff-flow.js';
import type { TaskLike } from './internal-types.js';
import { answered, interrupted, notAsked } from './interrupts.js';
import { recallNode, rememberNode } from './memory.js';
import type { GraphRun, NodeRun, Origin } from './runs.js';
import { innerGraph } from './topology.js';
import { markWinners, parentCommand } from './transfers.js';

/** A node of the step that is about to run. */
export function createNode(graphRun: GraphRun, task: TaskLike, origins: readonly Origin[], sent: boolean): NodeRun {
  return {
    graphRun,
    task,
    origins,
    sent,
    agent: undefined,
    addressed: undefined,
    handoffs: [],
    callIds: new Map(),
    resumed: false,
    remembered: false,
    run: undefined,
    executions: 0,
    requests: [],
    results: [],
    refused: undefined,
    innerState: undefined,
    result: undefined,
    endedAt: undefined,
    failed: undefined,
  };
}

/** The node is known to be an agent's: what starts it are handoffs. */
export function becomeAgent(node: NodeRun, inner?: string): void {
  if (node.agent !== undefined) return;
  const { topology } = node.graphRun;
  const name = topology.takerOf(node.task.name, inner);
  const addressed = topology.targetOf(node.task.name, inner);
  node.agent = name;
  node.addressed = addressed;
  const before = node.origins.length === 0 ? recallNode(node) : undefined;
  if (before !== undefined) {
    node.resumed = true;
    node.handoffs = before.handoffs;
    for (const handoff of before.handoffs) again(handoff);
    return;
  }
  const { handoffs, error } = openHandoffs(node);
  node.handoffs = handoffs;
  node.refused = error;
}

/** The node's work begins, or begins again. Returns the error with which an enforcing side refuses it. */
export function beginNode(node: NodeRun): HandoffContractError | undefined {
  node.executions += 1;
  if (node.refused !== undefined) return node.refused;
  if (node.agent !== undefined) startNodeRun(node);
  return undefined;
}

/** Starts the run of an agent's node. */
export function startNodeRun(node: NodeRun): void {
  const { graphRun, handoffs } = node;
  if (node.run !== undefined) {
    // The framework tries the node again: the handoff is the same, and it is executed once more.
    if (!node.run.ended) endRun(node.run, { errorType: node.failed, at: node.endedAt });
    for (const handoff of handoffs) again(handoff);
  }
  node.endedAt = undefined;
  node.failed = undefined;
  node.requests.length = 0;
  node.run = startRun({
    wiring: graphRun.wiring,
    agent: node.agent as string,
    context: node.resumed ? graphRun.base : consumerContext(graphRun.base, handoffs),
    startedBy: handoffs,
    task: handoffs.length === 0 ? graphRun.task : joinedTask(handoffs),
    conversationId: graphRun.thread,
    now: graphRun.now,
  });
}

function again(handoff: FollowedHandoff): void {
  handoff.state = { ...handoff.state, execution: handoff.state.execution + 1 };
}

/** The node's work is done. Its run stays open until it is known whom it hands over to. */
export function nodeDone(node: NodeRun, outcome: { readonly result: unknown } | { readonly error: unknown }): void {
  node.endedAt = node.graphRun.now();
  guarded('the answer of a person', () => answered(node), undefined);
  if ('result' in outcome) node.result = outcome.result;
  else {
    const command = parentCommand(outcome.error);
    if (command !== undefined) {
      markWinners(node, command);
      // What it carries the producer had, whoever below made it.
      node.result = command;
    }
    if (isInterrupt(outcome.error)) {
      guarded('a question to a person', () => interrupted(node, outcome.error), undefined);
      guarded('an interrupted node', () => rememberNode(node), undefined);
    }
    guarded('a question to a person', () => failedToAsk(node, outcome.error), undefined);
    node.failed = failureOf(node, outcome.error);
  }
  const { run } = node;
  if (run === undefined || run.ended) return;
  // A function that ran no agent's graph read its own input, with which it began.
  if (innerGraph(node.graphRun.graph.nodes[node.task.name]) === undefined)
    guarded('the destination of a handoff', () => ingestView(node, run, viewOfInput(node)), undefined);
}

/** An interrupt without a checkpointer is a question that was never put. */
export function failedToAsk(node: NodeRun, error: unknown): void {
  if (ownData(error, 'lc_error_code') === 'MISSING_CHECKPOINTER' && isFirst(error)) notAsked(node);
}

const seenErrors = new WeakSet<object>();

/** An error passes all graphs on its way up; the innermost node sees it first. */
function isFirst(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || seenErrors.has(error)) return false;
  seenErrors.add(error);
  return true;
}

function isInterrupt(error: unknown): boolean {
  const name = ownData(error, 'name');
  return name === 'GraphInterrupt' || name === 'NodeInterrupt';
}

/** A node that is over hands nothing on any more. */
export function closeNode(node: NodeRun, cancelled?: string): void {
  dropRequests(node);
  if (node.run === undefined || node.run.ended) return;
  const errorType = node.failed ?? (node.endedAt === undefined ? cancelled : undefined);
  endRun(node.run, { errorType, at: node.endedAt });
}

/** What a node failed with. A command on its way to a graph above, an interrupt and a drain are no failures. */
export function failureOf(node: NodeRun, error: unknown): string | undefined {
  const name = ownData(error, 'name');
  if (name === 'ParentCommand' || name === 'GraphDrained' || isInterrupt(error)) return undefined;
  return errorType(error, node.task.config?.signal?.aborted === true);
}

/** `error.type` of what a run rejected with; `cancelled` where the application called it off. */
export function errorType(error: unknown, aborted: boolean): string {
  const name = ownData(error, 'name');
  if (aborted || name === 'AbortError' || ownData(error, 'message') === 'Abort') return 'cancelled';
  // An interrupt that nothing could hold: the framework's own code says what is missing.
  return ownData(error, 'lc_error_code') === 'MISSING_CHECKPOINTER' ? 'MISSING_CHECKPOINTER' : errorTypeOf(error);
}
