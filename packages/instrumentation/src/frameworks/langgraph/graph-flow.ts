import { randomUUID } from 'node:crypto';
import { type Context, trace } from '@opentelemetry/api';
import { frameOf } from '../../accept/frame.js';
import { ambientTask } from '../../handoff/ambient-task.js';
import { beginTask } from '../../handoff/task.js';
import { endRun } from '../../hooks/agent-run.js';
import { createClock } from '../../hooks/clock.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { activeContext } from '../../hooks/scope.js';
import type { Wiring } from '../../hooks/wiring.js';
import { enclosingRun } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import { currentScope } from './graph-scope.js';
import type { GraphLike, LoopParams } from './internal-types.js';
import { becomeAgent, closeNode, createNode, errorType } from './node-flow.js';
import type { GraphRun, NodeRun, Origin } from './runs.js';
import { owningRun } from './runs.js';
import { recallNode, recallPending, rememberPending } from './memory.js';
import { readState } from './state.js';
import { topologyOf } from './topology.js';

const SENDS = '__pregel_tasks';
const MAX_STEPS_BETWEEN = 16;

/** A graph is about to run: where it runs, and which task it serves. */
export function createGraphRun(wiring: Wiring, graph: GraphLike, { loop }: LoopParams): GraphRun {
  const scope = currentScope();
  const tool = scope?.tool;
  const outer = tool === undefined ? scope?.node : undefined;
  const above = outer?.graphRun ?? tool?.graphRun;
  const base = contextBelow(activeContext(), owningRun(scope)?.context);
  const thread = loop.config.configurable?.['thread_id'];
  return {
    wiring,
    graph,
    topology: topologyOf(graph, wiring.contracts()),
    loop,
    outer,
    tool,
    base,
    task: enclosingRun(base)?.task ?? frameOf(base)?.task ?? above?.task ?? ambientTask(base) ?? beginTask(undefined),
    now: above?.now ?? createClock(),
    thread: typeof thread === 'number' ? String(thread) : (text(thread) ?? above?.thread),
    nonce: above?.nonce ?? randomUUID(),
    run: undefined,
    delegated: undefined,
    step: [],
    pending: new Map(),
    sends: [],
    ending: new Set(),
    entered: false,
    ended: false,
  };
}

/** Where the application's context lost the agent's span, it still runs inside of it. */
function contextBelow(active: Context, owner: Context | undefined): Context {
  const span = owner === undefined ? undefined : trace.getSpan(owner);
  return span === undefined || trace.getSpan(active) !== undefined ? active : trace.setSpan(active, span);
}

/** A step is about to run its nodes: what the step before it came to, and who starts whom. */
export function beginStep(graphRun: GraphRun): readonly NodeRun[] {
  const before = graphRun.step;
  settle(graphRun, before);
  const tasks = Object.values(graphRun.loop.tasks);
  const nodes = tasks.map((task) => {
    const { origins, sent } = originsOf(graphRun, task.name, task.path, task.input);
    const node = createNode(graphRun, task, origins, sent);
    // A step that was interrupted hands on what came before it.
    if (origins.length === 0 && graphRun.topology.kindOf(task.name) !== 'agent')
      node.origins = guarded('a node that goes on', () => recallNode(node)?.origins, undefined) ?? [];
    return node;
  });
  graphRun.step = nodes;
  for (const node of nodes) {
    const kind = graphRun.topology.kindOf(node.task.name);
    if (kind === 'agent' || (kind === 'named' && isTransferTarget(node))) becomeAgent(node);
  }
  // Only while a function may still turn out to be an agent can a run of before be named as its producer.
  const undecided = nodes.flatMap((node) =>
    node.agent === undefined && graphRun.topology.kindOf(node.task.name) === 'function'
      ? node.origins.map((origin) => origin.node)
      : [],
  );
  // What tools gave back in an earlier turn of the agent has reached its state by now.
  if (graphRun.outer !== undefined) graphRun.outer.results.length = 0;
  for (const node of before) graphRun.ending.add(node);
  for (const node of graphRun.ending) if (!undecided.includes(node)) release(graphRun, node);
  return nodes;
}

function release(graphRun: GraphRun, node: NodeRun): void {
  graphRun.ending.delete(node);
  guarded('the end of an agent', () => closeNode(node), undefined);
}

function isTransferTarget(node: NodeRun): boolean {
  return node.origins.some(({ node: { requests } }) =>
    requests.some(({ outcome, targets }) => outcome === 'won' && targets.includes(node.task.name)),
  );
}

/** What the nodes of a step wrote to the channels that start other nodes. */
function settle(graphRun: GraphRun, nodes: readonly NodeRun[]): void {
  for (const node of nodes) {
    if (node.failed !== undefined) continue;
    const from = originsThrough(node);
    if (from.length === 0) continue;
    for (const [channel, value] of node.task.writes) {
      if (channel === SENDS) for (const origin of from) graphRun.sends.push({ packet: value, origin });
      else if (startsNodes(graphRun.graph, channel)) {
        const waiting = graphRun.pending.get(channel) ?? [];
        // An edge without a condition writes no name.
        waiting.push(
          ...from.map((origin) => ({ ...origin, plainEdge: value === null || channel.startsWith('join:') })),
        );
        graphRun.pending.set(channel, waiting);
      }
    }
  }
}

/** An agent's node is where a handoff comes from; a step passes on what came before it. */
function originsThrough(node: NodeRun): readonly Origin[] {
  if (node.agent !== undefined) return [{ node, via: [], plainEdge: false }];
  return node.origins.map((origin) => ({ ...origin, via: [...origin.via, node].slice(-MAX_STEPS_BETWEEN) }));
}

function startsNodes(graph: GraphLike, channel: string): boolean {
  return (
    (channel.startsWith('branch:') || channel.startsWith('join:')) &&
    Object.values(graph.nodes).some(({ triggers }) => triggers?.includes(channel))
  );
}

function originsOf(
  graphRun: GraphRun,
  name: string,
  path: readonly unknown[] | undefined,
  input: unknown,
): { readonly origins: readonly Origin[]; readonly sent: boolean } {
  if (elements(path)[0] === '__pregel_push') {
    const { sends } = graphRun;
    const isThis = (packet: unknown): boolean => ownData(packet, 'node') === name;
    const exact = sends.find(({ packet }) => isThis(packet) && ownData(packet, 'args') === input);
    const packet = (exact ?? sends.find((send) => isThis(send.packet)))?.packet;
    const origins = sends.filter((send) => send.packet === packet && packet !== undefined).map(({ origin }) => origin);
    graphRun.sends = sends.filter((send) => send.packet !== packet);
    return { origins: unique(origins), sent: true };
  }
  const origins: Origin[] = [];
  for (const channel of graphRun.graph.nodes[name]?.triggers ?? []) {
    origins.push(...(graphRun.pending.get(channel) ?? recallPending(graphRun, channel)));
    graphRun.pending.delete(channel);
  }
  return { origins: unique(origins), sent: false };
}

/** Each producer once; what came over several ways came over all of them. */
function unique(origins: readonly Origin[]): readonly Origin[] {
  const byNode = new Map<NodeRun, Origin>();
  for (const origin of origins) {
    const known = byNode.get(origin.node);
    byNode.set(
      origin.node,
      known === undefined
        ? origin
        : {
            ...known,
            via: [...new Set([...known.via, ...origin.via])],
            plainEdge: known.plainEdge && origin.plainEdge,
          },
    );
  }
  return [...byNode.values()];
}

/** The graph is done, failed, or was called off. */
export function endGraph(graphRun: GraphRun, failure?: { readonly error: unknown }): void {
  if (graphRun.ended) return;
  graphRun.ended = true;
  const { graph, loop, outer, run } = graphRun;
  const state = guarded('the state of a graph', () => readState(graph, loop), undefined);
  if (outer !== undefined) outer.innerState = state;
  const aborted = loop.config.signal?.aborted === true;
  const cancelled = failure === undefined ? undefined : 'cancelled';
  for (const node of [...graphRun.ending, ...graphRun.step])
    guarded('the end of an agent', () => closeNode(node, cancelled), undefined);
  if (failure === undefined && String(loop.status).startsWith('interrupt')) {
    settle(graphRun, graphRun.step);
    guarded('an interrupted graph', () => rememberPending(graphRun), undefined);
  }
  graphRun.ending.clear();
  graphRun.pending.clear();
  graphRun.sends = [];
  if (run === undefined) return;
  const bubbles = ['ParentCommand', 'GraphInterrupt', 'NodeInterrupt', 'GraphDrained'];
  const failed = failure !== undefined && !bubbles.includes(String(ownData(failure.error, 'name')));
  endRun(run, { errorType: failed ? errorType(failure.error, aborted) : undefined });
}
