import { startRun, type FollowedRun } from '../../hooks/agent-run.js';
import type { AnyFunction } from '../../hooks/any-function.js';
import { within } from '../../hooks/scope.js';
import { guarded } from '../../runtime/report.js';
import { apart } from './apart.js';
import { delegate, endDelegation } from './delegation.js';
import { ingestView, viewOfGraph } from './destination.js';
import { beginStep, createGraphRun, endGraph } from './graph-flow.js';
import { inScope, leaveScope } from './graph-scope.js';
import type { GraphLike, LoopParams, TaskLike } from './internal-types.js';
import { becomeAgent, beginNode, nodeDone, startNodeRun } from './node-flow.js';
import type { PatchedCopy } from './patch.js';
import { ingestDelegation } from './delegation.js';
import { settled } from './settled.js';
import type { GraphRun, NodeRun } from './runs.js';
import { graphName, isAgentGraph, isLeaf } from './topology.js';

/** `Pregel.prototype._runLoop`: one execution of a graph, from its first step to its last. */
export function wrapRunLoop(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function _runLoop(this: unknown, ...args) {
      const call = (): unknown => Reflect.apply(original, this, args);
      const begun = copy.active
        ? guarded('a graph', () => beginGraph(copy, this as GraphLike, args[0] as LoopParams), undefined)
        : undefined;
      if (begun === undefined) return call();
      const { graphRun, run, refused } = begun;
      if (refused !== undefined) {
        guarded('the end of a graph', () => apart(() => endGraph(graphRun, { error: refused })), undefined);
        return Promise.reject(refused);
      }
      const scope = { graphRun, node: undefined, tool: undefined };
      const running = inScope(scope, () => (run === undefined ? call() : within(run.context, call)));
      settled(running, {
        done: () => {
          ended(graphRun);
          leaveScope(scope);
        },
        failed: (error) => {
          ended(graphRun, { error });
          leaveScope(scope);
        },
      });
      return running;
    };
}

function ended(graphRun: GraphRun, failure?: { readonly error: unknown }): void {
  guarded('the end of a delegation', () => endDelegation(graphRun, failure !== undefined), undefined);
  guarded('the end of a graph', () => endGraph(graphRun, failure), undefined);
}

interface Begun {
  readonly graphRun: GraphRun;
  /** The agent whose work this graph is. */
  readonly run: FollowedRun | undefined;
  readonly refused: Error | undefined;
}

function beginGraph(copy: PatchedCopy, graph: GraphLike, params: LoopParams): Begun {
  const graphRun = createGraphRun(copy.wiring, graph, params);
  const { outer } = graphRun;
  let refused: Error | undefined;
  if (outer !== undefined) {
    if (promotes(graphRun, outer)) {
      becomeAgent(outer, graphName(graph));
      refused = outer.refused;
      if (refused === undefined) startNodeRun(outer);
    }
  } else if (graphRun.tool !== undefined) refused = delegate(graphRun);
  else if (isLeaf(graph, copy.wiring.contracts()) || isNamedAgent(graphRun)) graphRun.run = startOwnRun(graphRun);
  watchSteps(graphRun, params);
  return { graphRun, run: graphRun.run ?? outer?.run, refused };
}

/** A function that runs an agent's graph is that agent's node. */
function promotes(graphRun: GraphRun, outer: NodeRun): boolean {
  const { topology } = outer.graphRun;
  return (
    outer.agent === undefined &&
    topology.kindOf(outer.task.name) === 'function' &&
    isAgentGraph(graphRun.graph, graphRun.wiring.contracts())
  );
}

function isNamedAgent({ graph, wiring }: GraphRun): boolean {
  const name = graphName(graph);
  const contracts = wiring.contracts();
  return (
    name !== undefined &&
    contracts !== undefined &&
    isAgentGraph({ name, nodes: {}, channels: {} } as GraphLike, contracts)
  );
}

function startOwnRun(graphRun: GraphRun): FollowedRun {
  return startRun({
    wiring: graphRun.wiring,
    agent: graphName(graphRun.graph) ?? 'LangGraph',
    context: graphRun.base,
    task: graphRun.task,
    conversationId: graphRun.thread,
    now: graphRun.now,
  });
}

/** The runner of one execution is its own, so its `tick` is wrapped on the object: each call runs one step's nodes. */
function watchSteps(graphRun: GraphRun, { runner }: LoopParams): void {
  const { tick } = runner;
  const watched: AnyFunction = function (this: unknown, ...args) {
    guarded('a step of a graph', () => apart(() => step(graphRun)), undefined);
    return Reflect.apply(tick, this, args);
  };
  Object.defineProperty(runner, 'tick', { value: watched, writable: true, configurable: true, enumerable: false });
}

function step(graphRun: GraphRun): void {
  const nodes = beginStep(graphRun);
  const refused = enter(graphRun, nodes);
  for (const node of nodes) {
    if (node.task.writes.length > 0) continue;
    node.refused ??= refused;
    watchNode(node, node.task);
  }
}

/** The first nodes of an agent's own graph are about to run: what they find is what the agent ingested. */
function enter(graphRun: GraphRun, nodes: readonly NodeRun[]): NodeRun['refused'] {
  const { outer, graph } = graphRun;
  if (graphRun.entered || nodes.every(({ task }) => task.name === '__start__')) return undefined;
  graphRun.entered = true;
  if (outer?.run === undefined) return ingestDelegation(graphRun);
  return isAgentGraph(graph, graphRun.wiring.contracts()) ||
    outer.graphRun.topology.kindOf(outer.task.name) !== 'function'
    ? ingestView(outer, outer.run, viewOfGraph(graphRun, outer))
    : undefined;
}

function watchNode(node: NodeRun, task: TaskLike): void {
  const { proc } = task;
  const scope = { graphRun: node.graphRun, node, tool: undefined };
  const invoke: AnyFunction = (...args) => {
    const refused = guarded('a node', () => apart(() => beginNode(node)), undefined);
    if (refused !== undefined) {
      guarded('the end of a node', () => apart(() => nodeDone(node, { error: refused })), undefined);
      return Promise.reject(refused);
    }
    const call = (): unknown => Reflect.apply(proc.invoke, proc, args);
    const { run } = node;
    const running = inScope(scope, () => (run === undefined ? call() : within(run.context, call)));
    settled(running, {
      done: (result) => {
        guarded('the end of a node', () => nodeDone(node, { result }), undefined);
        leaveScope(scope);
      },
      failed: (error) => {
        guarded('the end of a node', () => nodeDone(node, { error }), undefined);
        leaveScope(scope);
      },
    });
    return running;
  };
  task.proc = Object.create(proc, {
    invoke: { value: invoke, writable: true, configurable: true },
  }) as TaskLike['proc'];
}
