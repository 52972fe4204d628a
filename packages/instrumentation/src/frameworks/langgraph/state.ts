import type { GraphLike, LoopLike } from './internal-types.js';

/** Channels whose `get` only gives what they hold. What a channel class of the application's does is not known. */
const KNOWN_CHANNELS: ReadonlySet<unknown> = new Set([
  'LastValue',
  'LastValueAfterFinish',
  'AnyValue',
  'BinaryOperatorAggregate',
  'EphemeralValue',
  'UntrackedValue',
  'DeltaChannel',
  'Topic',
]);

/** The state of a graph as it stands: what its channels hold. */
export interface GraphState {
  /** Each channel that holds something, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** All channels of the state could be read. */
  readonly whole: boolean;
}

/** The names of a graph's state channels, without those of the framework's own bookkeeping. */
export function stateChannels(graph: GraphLike): readonly string[] {
  const declared = graph.builder?.channels;
  if (declared !== undefined) return Object.keys(declared);
  return Object.keys(graph.channels).filter((name) => !/^(?:__|branch:|join:)/.test(name));
}

/** Reads the state of a running graph. References are kept, nothing is copied and no reducer is run. */
export function readState(graph: GraphLike, loop: LoopLike): GraphState {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let whole = true;
  for (const name of stateChannels(graph)) {
    const channel = loop.channels[name];
    if (channel === undefined) continue;
    if (!KNOWN_CHANNELS.has(channel.lc_graph_name)) {
      whole = false;
      continue;
    }
    if (channel.isAvailable?.() !== true) continue;
    const value = channel.get?.();
    // A state that is one value instead of an object of channels.
    if (name === '__root__') {
      if (typeof value === 'object' && value !== null) Object.assign(values, { messages: value });
    } else values[name] = value;
  }
  return { values, whole };
}
