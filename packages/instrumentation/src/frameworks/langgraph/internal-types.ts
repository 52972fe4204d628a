// The parts of LangGraph's objects that are read here, as they are from 1.0 to 1.7. Nothing is imported from the package:
// several copies of several versions may be loaded, and each is taken as it is.

import type { AnyFunction } from '../../hooks/any-function.js';

/** What a node is made of: an agent's graph, a function, a `ToolNode`. */
export interface BoundLike {
  readonly name?: unknown;
  readonly nodes?: unknown;
  /** Of a `ToolNode` only. */
  readonly tools?: unknown;
}

export interface GraphNodeLike {
  readonly bound?: BoundLike;
  readonly subgraphs?: readonly BoundLike[];
  readonly triggers?: readonly string[];
  /** Channels that make the node's input, where it is an object. */
  readonly channels?: unknown;
  /** Nodes to which it may go by a `Command`. */
  readonly ends?: readonly string[];
}

/** A compiled graph. */
export interface GraphLike extends BoundLike {
  readonly nodes: Readonly<Record<string, GraphNodeLike>>;
  readonly channels: Readonly<Record<string, unknown>>;
  readonly checkpointer?: unknown;
  readonly builder?: {
    /** The channels of the state, without those of the graph's own bookkeeping. */
    readonly channels?: Readonly<Record<string, unknown>>;
    readonly edges?: Iterable<readonly [string, string]>;
    readonly branches?: Readonly<Record<string, Readonly<Record<string, { readonly ends?: unknown }>>>>;
  };
}

export interface ChannelLike {
  readonly lc_graph_name?: unknown;
  isAvailable?: () => boolean;
  get?: () => unknown;
}

export type Write = readonly [channel: string, value: unknown];

/** One node about to run, running or done in a step of a graph. */
export interface TaskLike {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly path?: readonly unknown[];
  readonly triggers?: readonly string[];
  readonly writes: readonly Write[];
  readonly config?: ConfigLike;
  proc: { readonly invoke: AnyFunction };
}

export interface ConfigLike {
  readonly configurable?: Readonly<Record<string, unknown>>;
  readonly context?: unknown;
  readonly signal?: { readonly aborted?: boolean };
}

/** One execution of a graph. */
export interface LoopLike {
  readonly tasks: Readonly<Record<string, TaskLike>>;
  readonly channels: Readonly<Record<string, ChannelLike>>;
  readonly config: ConfigLike;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly status?: unknown;
  readonly checkpointer?: unknown;
}

export interface RunnerLike {
  tick: AnyFunction;
}

/** What `Pregel.prototype._runLoop` is called with. */
export interface LoopParams {
  readonly loop: LoopLike;
  readonly runner: RunnerLike;
  readonly config?: ConfigLike;
}

/** A `Command` as a tool or a node returns it. */
export interface CommandLike {
  readonly graph?: unknown;
  readonly goto?: unknown;
  readonly update?: unknown;
}
