import type { SpanContext } from '@opentelemetry/api';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import { putBounded } from '../../runtime/bounded.js';
import type { GraphRun, NodeRun, Origin } from './runs.js';

// A graph that was interrupted goes on in another call, with nothing in common but its checkpointer and its thread. What is
// kept until then are names and ids, never a value of the state, and it goes when the checkpointer goes.

/** What started a node that was interrupted. */
export interface Remembered {
  readonly handoffs: readonly FollowedHandoff[];
  readonly origins: readonly Origin[];
}

interface Memory {
  readonly tasks: Map<string, Remembered>;
  /** Who wrote to a channel whose node was not started yet. */
  readonly pending: Map<string, readonly Origin[]>;
  /** How often something was executed, by its handoff's id. */
  readonly executions: Map<string, number>;
  /** The `handoff` spans of questions to people, which are answered in another call. */
  readonly asked: Map<string, SpanContext>;
}

const MAX_ENTRIES = 1_024;
const memories = new WeakMap<object, Memory>();

function memoryOf({ loop }: GraphRun): Memory | undefined {
  const checkpointer = loop.checkpointer ?? loop.config.configurable?.['__pregel_checkpointer'];
  if (typeof checkpointer !== 'object' || checkpointer === null) return undefined;
  const known = memories.get(checkpointer);
  if (known !== undefined) return known;
  const created: Memory = { tasks: new Map(), pending: new Map(), executions: new Map(), asked: new Map() };
  memories.set(checkpointer, created);
  return created;
}

/** The node stops here and begins again when the graph goes on. */
export function rememberNode(node: NodeRun): void {
  const memory = memoryOf(node.graphRun);
  if (memory === undefined || (node.handoffs.length === 0 && node.origins.length === 0)) return;
  const entry = { handoffs: node.handoffs, origins: node.agent === undefined ? node.origins.map(husk) : [] };
  putBounded(memory.tasks, node.task.id, entry, MAX_ENTRIES);
}

/** What started a node that begins again, in whatever call of the graph. */
export function recallNode({ graphRun, task }: NodeRun): Remembered | undefined {
  const memory = memoryOf(graphRun);
  const found = memory?.tasks.get(task.id);
  memory?.tasks.delete(task.id);
  return found;
}

/** The graph stops before nodes that were about to start. */
export function rememberPending(graphRun: GraphRun): void {
  const memory = memoryOf(graphRun);
  if (memory === undefined) return;
  for (const [channel, origins] of graphRun.pending)
    putBounded(memory.pending, keyOf(graphRun, channel), origins.map(husk), MAX_ENTRIES);
}

/** Who wrote to a channel in the call before. */
export function recallPending(graphRun: GraphRun, channel: string): readonly Origin[] {
  const memory = memoryOf(graphRun);
  const key = keyOf(graphRun, channel);
  const found = memory?.pending.get(key) ?? [];
  memory?.pending.delete(key);
  return found;
}

/** Counts one more execution of a handoff. 1 for the first, and without a checkpointer, where nothing is executed again. */
export function nextExecution(graphRun: GraphRun, id: string): number {
  const memory = memoryOf(graphRun);
  if (memory === undefined) return 1;
  const execution = (memory.executions.get(id) ?? 0) + 1;
  putBounded(memory.executions, id, execution, MAX_ENTRIES);
  return execution;
}

/** A question was put. */
export function rememberQuestion(graphRun: GraphRun, id: string, span: SpanContext): void {
  const memory = memoryOf(graphRun);
  if (memory !== undefined) putBounded(memory.asked, id, span, MAX_ENTRIES);
}

/** Where a question was put, if this process knows. */
export function recallQuestion(graphRun: GraphRun, id: string): SpanContext | undefined {
  return memoryOf(graphRun)?.asked.get(id);
}

function keyOf({ thread, nonce, loop }: GraphRun, channel: string): string {
  const namespace = loop.config.configurable?.['checkpoint_ns'];
  return JSON.stringify([thread ?? nonce, typeof namespace === 'string' ? namespace : '', channel]);
}

/** A producer without the values that it held. */
function husk({ node, plainEdge }: Origin): Origin {
  const { id, name } = node.task;
  const task = { id, name, input: undefined, writes: [], proc: { invoke: () => undefined } };
  const shell: NodeRun = {
    ...node,
    task,
    origins: [],
    innerState: undefined,
    result: undefined,
    requests: [],
    results: [],
    remembered: true,
    graphRun: {
      ...node.graphRun,
      loop: { tasks: {}, channels: {}, config: {} },
      step: [],
      pending: new Map(),
      sends: [],
    },
  };
  return { node: shell, via: [], plainEdge };
}
