import type { ForeignSign } from './types.js';

/** What an instrumentation of LangChain's callbacks tells of the place in LangGraph's graph. */
export interface GraphPlace {
  /** `langgraph_checkpoint_ns`: one `name:id` for each graph that the node stands in, joined by `|`. */
  readonly path: string | undefined;
  /** `lc_agent_name`, of agents made by `createAgent`. */
  readonly agentName: string | undefined;
  /** `__handoff_destination`, on the tools of a swarm. */
  readonly destination: string | undefined;
}

/** Steps of which every agent is made; a node of such a name is no agent. */
const PLUMBING: ReadonlySet<string> = new Set([
  '__start__',
  '__end__',
  'agent',
  'call_model',
  'model',
  'model_request',
  'tools',
]);

/** A span that stands for a node, or for the graph inside one; `undefined` for steps that are neither. */
export function graphNode(name: string, { path, agentName }: GraphPlace): ForeignSign | undefined {
  if (PLUMBING.has(name)) return undefined;
  if (agentName === name) return { role: 'run', agent: name, place: path };
  if (path === undefined || nodeDepth(path, name) < 0) return undefined;
  return { role: 'node', agent: name, place: path };
}

/** Which segment of a path is the last with this name; -1 where none is. */
export function nodeDepth(path: string, name: string): number {
  return segmentsOf(path).lastIndexOf(name);
}

/** Names of the nodes along a path. */
export function segmentsOf(path: string): readonly string[] {
  return path.split('|').map((segment) => segment.slice(0, segment.lastIndexOf(':')));
}

/** The beginning of a path up to the segment at `depth`, that one included. */
export function pathUpTo(path: string, depth: number): string {
  return path
    .split('|')
    .slice(0, depth + 1)
    .join('|');
}
