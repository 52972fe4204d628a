import { type Contracts, resolveAgent } from '@seamtrace/contracts';
import { text } from '../../hooks/own-data.js';
import type { BoundLike, GraphLike, GraphNodeLike } from './internal-types.js';

/**
 * What a node of a graph is. An `agent` is at work whenever its node is; a `named` graph is one when an agent transfers to
 * it, and a `function` when it runs an agent's graph. All others are steps, of which no handoff is made.
 */
export type NodeKind = 'agent' | 'named' | 'function' | 'step';

/** What is known of one graph without running it. */
export interface Topology {
  readonly kindOf: (node: string) => NodeKind;
  /** Who works in a node: the name under which a handoff to it is addressed. */
  readonly targetOf: (node: string, inner?: string) => string;
  /** Who takes over in a node, by the name of the graph that the node runs. */
  readonly takerOf: (node: string, inner?: string) => string;
  /** Whether an edge leads back from one node to the other, so that the other waits for it. */
  readonly returns: (from: string, to: string) => boolean;
  /** The agent that a conditional edge names where its path map leads to another agent's node. */
  readonly namedByBranch: (from: string, to: string) => string | undefined;
}

/** The nodes of which the graphs of `createAgent` and `createReactAgent` are made. */
const INTERNAL_NODES: ReadonlySet<string> = new Set(['agent', 'model_request', 'tools']);
const DEFAULT_NAME = 'LangGraph';

const topologies = new WeakMap<object, { readonly contracts: Contracts | undefined; readonly topology: Topology }>();

/** The topology of a graph under a contract file. Made once for each. */
export function topologyOf(graph: GraphLike, contracts: Contracts | undefined): Topology {
  const known = topologies.get(graph);
  if (known !== undefined && known.contracts === contracts) return known.topology;
  const topology = createTopology(graph, contracts);
  topologies.set(graph, { contracts, topology });
  return topology;
}

/** The name that the application gave to a graph. */
export function graphName(graph: BoundLike): string | undefined {
  const name = text(graph.name);
  return name === DEFAULT_NAME ? undefined : name;
}

/** Whether a graph as a whole is an agent: one that calls a model and tools, a team of agents, or one that is declared. */
export function isAgentGraph(graph: BoundLike, contracts: Contracts | undefined, depth = 0): boolean {
  if (!isGraph(graph) || depth > 8) return false;
  const name = graphName(graph);
  if (name !== undefined && isDeclared(contracts, name)) return true;
  return isLeaf(graph, contracts, depth) || hasAgents(graph, contracts, depth);
}

function createTopology(graph: GraphLike, contracts: Contracts | undefined): Topology {
  const kinds = new Map(Object.keys(graph.nodes).map((name) => [name, kindOfNode(graph, name, contracts)]));
  const inner = (node: string): string | undefined => {
    const static_ = innerGraph(graph.nodes[node]);
    return static_ === undefined ? undefined : graphName(static_);
  };
  const targetOf = (node: string, dynamic?: string): string => {
    const name = inner(node) ?? dynamic;
    return !isDeclared(contracts, node) && name !== undefined && isDeclared(contracts, name) ? name : node;
  };
  const edges = new Set([...(graph.builder?.edges ?? [])].map(([from, to]) => JSON.stringify([from, to])));
  return {
    kindOf: (node) => kinds.get(node) ?? 'step',
    targetOf,
    takerOf: (node, dynamic) => {
      const name = inner(node) ?? dynamic;
      if (name === undefined || name === node) return targetOf(node, dynamic);
      // Several nodes may run one agent; only names that the contract tells apart are different agents.
      return isDeclared(contracts, name) ? name : targetOf(node, dynamic);
    },
    returns: (from, to) => edges.has(JSON.stringify([from, to])),
    namedByBranch: (from, to) => namedByBranch(graph, kinds, from, to),
  };
}

function isAgentKind(kind: NodeKind | undefined): boolean {
  return kind === 'agent' || kind === 'named';
}

function kindOfNode(graph: GraphLike, name: string, contracts: Contracts | undefined, depth = 0): NodeKind {
  const node = graph.nodes[name];
  if (node === undefined || name === '__start__' || isToolNode(node)) return 'step';
  const inner = innerGraph(node);
  if (isLeaf(graph, contracts, depth) && (INTERNAL_NODES.has(name) || !isDeclared(contracts, name))) return 'step';
  if (isDeclared(contracts, name) || swarmMembers(graph).includes(name)) return 'agent';
  if (inner === undefined) return 'function';
  if (isAgentGraph(inner, contracts, depth + 1)) return 'agent';
  return graphName(inner) === undefined ? 'step' : 'named';
}

function hasAgents(graph: GraphLike, contracts: Contracts | undefined, depth: number): boolean {
  return Object.keys(graph.nodes).some((name) => kindOfNode(graph, name, contracts, depth) === 'agent');
}

/** A graph that calls a model and its tools: one agent, however often it steps. */
export function isLeaf(graph: GraphLike, contracts: Contracts | undefined, depth = 0): boolean {
  const { nodes } = graph;
  if (nodes['model_request'] !== undefined) return true;
  const ofAgents = Object.values(nodes).some((node) => {
    const inner = innerGraph(node);
    return inner !== undefined && isAgentGraph(inner, contracts, depth + 1);
  });
  return !ofAgents && (nodes['agent'] !== undefined || Object.values(nodes).some(isToolNode));
}

function isToolNode({ bound }: GraphNodeLike): boolean {
  return Array.isArray(bound?.tools);
}

/** The graph that a node is, or that its function is known to run. */
export function innerGraph(node: GraphNodeLike | undefined): GraphLike | undefined {
  const bound = node?.bound;
  if (bound !== undefined && isGraph(bound)) return bound;
  const [only, ...others] = node?.subgraphs ?? [];
  return only !== undefined && others.length === 0 && isGraph(only) ? only : undefined;
}

function isGraph(value: BoundLike): value is GraphLike {
  return typeof value.nodes === 'object' && value.nodes !== null && 'channels' in value;
}

/** Agents of `createSwarm`, which says itself which of its nodes are. */
function swarmMembers(graph: GraphLike): readonly string[] {
  const ends = graph.builder?.branches?.['__start__']?.['routeToActiveAgent']?.ends;
  return typeof ends === 'object' && ends !== null ? Object.keys(ends) : [];
}

/**
 * A conditional edge may say one agent and lead to another's node. Known only where one answer of its leads there, and
 * the node has no other way to it.
 */
function namedByBranch(
  graph: GraphLike,
  kinds: ReadonlyMap<string, NodeKind>,
  from: string,
  to: string,
): string | undefined {
  if ((graph.nodes[from]?.ends ?? []).length > 0) return undefined;
  const branches = Object.values(graph.builder?.branches?.[from] ?? {});
  const answers = branches.flatMap(({ ends }) =>
    typeof ends === 'object' && ends !== null
      ? Object.entries(ends).flatMap(([answer, node]) => (node === to ? [answer] : []))
      : ['', ''],
  );
  const [answer, ...others] = answers;
  if (answer === undefined || others.length > 0 || answer === to) return undefined;
  return isAgentKind(kinds.get(answer)) ? answer : undefined;
}

function isDeclared(contracts: Contracts | undefined, name: string): boolean {
  return contracts !== undefined && resolveAgent(contracts, name) !== undefined;
}
