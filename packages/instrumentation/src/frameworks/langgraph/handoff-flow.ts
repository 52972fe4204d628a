import { type Context, trace } from '@opentelemetry/api';
import { deriveHandoffId } from '../../handoff/id.js';
import type { Task } from '../../handoff/task.js';
import { beginHandoff, endHandoff, type FollowedHandoff, refuseHandoff } from '../../hooks/handoff.js';
import type { HandoffContractError } from '@seamtrace/contracts';
import { guarded } from '../../runtime/report.js';
import type { GraphRun, NodeRun, Origin } from './runs.js';
import { concludePayload, concludeSource } from './stages.js';
import { readState } from './state.js';
import type { TransferRequest } from './transfers.js';

/** Prefix of the ids of all handoffs of this framework. */
export const PREFIX = 'lg';

/** The task that a producer served as it handed over: what comes back to it belongs to that one again. */
const servedBefore = new WeakMap<FollowedHandoff, Task>();

/** What the handoffs that start a node come to. */
export interface Opened {
  readonly handoffs: readonly FollowedHandoff[];
  /** The error with which an enforcing producer refuses one of them. */
  readonly error: HandoffContractError | undefined;
}

/** An agent's node is about to start: the handoffs that start it, one for each agent that came before it. */
export function openHandoffs(node: NodeRun): Opened {
  const handoffs: FollowedHandoff[] = [];
  let refused: HandoffContractError | undefined;
  for (const origin of node.origins) {
    // An agent that goes on, or calls itself, hands nothing over.
    if (origin.node.agent === undefined || origin.node.agent === node.agent) continue;
    const opened = guarded('a handoff', () => open(node, origin), undefined);
    if (opened === undefined) continue;
    if (opened.error === undefined) handoffs.push(opened.handoff);
    else refused ??= opened.error;
  }
  return { handoffs, error: refused };
}

function open(
  node: NodeRun,
  origin: Origin,
): { readonly handoff: FollowedHandoff; readonly error: HandoffContractError | undefined } {
  const { graphRun } = node;
  const request = origin.node.requests.find(
    ({ outcome, targets }) => outcome !== 'asked' && targets.includes(node.task.name),
  );
  if (request !== undefined) request.outcome = 'settled';
  const answered = request === undefined && origin.plainEdge ? delegationFrom(origin.node, node.agent) : undefined;
  const handoff = beginHandoff({
    ...common(graphRun, origin.node),
    target: targetOf(node, origin, request),
    idParts: idParts(graphRun, origin.node, node.task.name, positionOf(node, origin)),
    task: (answered === undefined ? undefined : servedBefore.get(answered)) ?? taskOf(origin.node),
    subtaskId: answered === undefined && parallel(node, origin) ? subtaskId(node, origin) : undefined,
    mode:
      graphRun.topology.returns(node.task.name, origin.node.task.name) || answered !== undefined
        ? 'delegation'
        : 'transfer',
    leg: answered === undefined ? undefined : 'return',
    inReplyTo: answered?.state,
  });
  servedBefore.set(handoff, taskOf(origin.node));
  node.callIds.set(handoff, request?.callId);
  concludeSource(handoff, origin, request, leftBehind(node, origin));
  concludePayload(handoff, node, request);
  const error = refuseHandoff(handoff, 'source') ?? refuseHandoff(handoff, 'payload');
  if (error === undefined) endHandoff(handoff, 'dispatched', { at: graphRun.now() });
  return { handoff, error };
}

/** The input that a producer made for the target; of one that ran before an interrupt, the state that it left. */
function leftBehind({ sent, task, graphRun }: NodeRun, origin: Origin): unknown {
  if (sent) return task.input;
  return origin.node.remembered ? readState(graphRun.graph, graphRun.loop).values : undefined;
}

/** Transfers that were asked for and never ran: the framework runs one a turn, or the graph came to its end before. */
export function dropRequests(node: NodeRun): void {
  for (const [position, request] of node.requests.entries()) {
    if (request.outcome === 'settled' || node.agent === undefined) continue;
    request.outcome = 'settled';
    for (const target of request.targets)
      guarded('a dropped handoff', () => drop(node, request, target, position), undefined);
  }
}

function drop(node: NodeRun, request: TransferRequest, target: string, position: number): void {
  const { graphRun } = node;
  const { topology } = graphRun;
  // A node that is not there was meant to be an agent's all the same.
  const isStep = graphRun.graph.nodes[target] !== undefined && topology.kindOf(target) === 'step';
  if (isStep || topology.targetOf(target) === node.agent) return;
  const handoff = beginHandoff({
    ...common(graphRun, node),
    target: topology.targetOf(target),
    idParts: idParts(graphRun, node, target, `dropped:${request.callId ?? ''}:${position}`),
    task: taskOf(node),
    mode: topology.returns(target, node.task.name) ? 'delegation' : 'transfer',
  });
  concludeSource(handoff, { node, via: [], plainEdge: false }, request);
  concludePayload(handoff, undefined, request, graphRun);
  endHandoff(handoff, 'dropped', { at: graphRun.now() });
}

function common(graphRun: GraphRun, from: NodeRun) {
  const run = from.run;
  return {
    wiring: graphRun.wiring,
    source: from.agent as string,
    prefix: PREFIX,
    context: run?.context ?? graphRun.base,
    from: run === undefined || run.ended ? undefined : run.record,
    startTime: from.endedAt,
  };
}

/** Whom the decision names: what a conditional edge says, else the agent of the node that it leads to. */
function targetOf(node: NodeRun, origin: Origin, request: TransferRequest | undefined): string {
  const { topology } = node.graphRun;
  const last = (origin.via.at(-1) ?? origin.node).task.name;
  const named = request === undefined && !origin.plainEdge ? topology.namedByBranch(last, node.task.name) : undefined;
  return named === undefined ? (node.addressed ?? topology.targetOf(node.task.name)) : topology.targetOf(named);
}

/** The delegation that an agent now answers, by the edge that leads from it back to who delegated. */
function delegationFrom(worker: NodeRun, to: string | undefined): FollowedHandoff | undefined {
  return worker.handoffs.find(
    ({ state }) => state.mode === 'delegation' && state.leg !== 'return' && state.source?.name === to,
  );
}

/** The same for the same producer at work again, since the ids of tasks stay when a node is executed again. */
function idParts(graphRun: GraphRun, from: NodeRun, target: string, position: string | number): (string | number)[] {
  return [graphRun.thread ?? graphRun.nonce, from.task.id, target, position];
}

function positionOf(node: NodeRun, origin: Origin): number {
  return node.graphRun.step
    .filter((other) => other.task.name === node.task.name && comesFrom(other, origin.node))
    .indexOf(node);
}

function subtaskId(node: NodeRun, origin: Origin): string {
  return deriveHandoffId('lgt', idParts(node.graphRun, origin.node, node.task.name, positionOf(node, origin)));
}

/** One agent hands out work to several at once. */
function parallel(node: NodeRun, origin: Origin): boolean {
  const { step, topology } = node.graphRun;
  return (
    step.filter((other) => topology.kindOf(other.task.name) !== 'step' && comesFrom(other, origin.node)).length > 1
  );
}

function comesFrom(node: NodeRun, producer: NodeRun): boolean {
  return node.origins.some((origin) => origin.node === producer);
}

function taskOf(node: NodeRun): Task {
  return node.run?.record.task ?? node.graphRun.task;
}

/** Where the next agent's span stands: below the dispatch that led to it. */
export function consumerContext(base: Context, handoffs: readonly FollowedHandoff[]): Context {
  const [first] = handoffs;
  return first === undefined ? base : trace.setSpan(base, first.span);
}

/** The task of a run that several handoffs started: the one that all serve, else the parent of their subtasks. */
export function joinedTask(handoffs: readonly FollowedHandoff[]): Task | undefined {
  const tasks = handoffs.map(({ onward }) => onward);
  const [first] = tasks;
  if (first === undefined || tasks.length < 2) return undefined;
  const deepest = tasks.reduce((a, b) => ((b.hop?.index ?? 0) > (a.hop?.index ?? 0) ? b : a), first);
  const only = (ids: readonly (string | undefined)[]) => (new Set(ids).size === 1 ? ids[0] : undefined);
  const id = only(tasks.map(({ identity }) => identity.id)) ?? only(tasks.map(({ identity }) => identity.parentId));
  return id === undefined || id === deepest.identity.id ? deepest : { ...deepest, identity: { id } };
}
