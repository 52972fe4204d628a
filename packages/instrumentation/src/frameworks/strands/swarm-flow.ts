import { randomUUID } from 'node:crypto';
import { frameOf } from '../../accept/frame.js';
import { ambientTask } from '../../handoff/ambient-task.js';
import { beginTask, type Task } from '../../handoff/task.js';
import { endRun, startRun } from '../../hooks/agent-run.js';
import type { GeneratorFlow } from '../../hooks/follow-generator.js';
import { elements, memberOf, ownData, text } from '../../hooks/own-data.js';
import { activeContext } from '../../hooks/scope.js';
import { enclosingRun } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import { askHandoff, concludeHandoff, dispatched, dropHandoff } from './handoff-flow.js';
import type { EnvelopeLike, NodeLike } from './internal-types.js';
import type { PatchedCopy } from './patch.js';
import { type AgentFrame, currentFrame, inScope, type NodeStep, type Scope, type StrandsHandoff } from './scope.js';

/** One run of a swarm, from its start over its interrupts to its end: what belongs to its state. */
interface SwarmMemory {
  readonly nonce: string;
  readonly task: Task;
  /** Nodes that began. */
  steps: number;
  /** The node that ran last. */
  last: { readonly nodeId: string; readonly frame: AgentFrame | undefined } | undefined;
  /** The node that was interrupted, and the handoff that it began with or is about to. */
  paused: { readonly nodeId: string; readonly handoff: StrandsHandoff | undefined } | undefined;
}

const memories = new WeakMap<object, SwarmMemory>();

/** Follows one node of a swarm. `args` are the node, its input, the swarm's state, the envelope, a span, the shared state. */
export function nodeFlow(copy: PatchedCopy, swarm: object, args: readonly unknown[]): GeneratorFlow {
  const scope: Scope = { frame: undefined, node: undefined, tool: undefined };
  let memory: SwarmMemory | undefined;
  return {
    enter() {
      guarded(
        'the start of a node',
        () => {
          memory = memoryOf(args[2]);
          scope.frame = currentFrame();
          scope.node = memory === undefined ? undefined : beginNode(copy, swarm, memory, args);
        },
        undefined,
      );
      return scope.node === undefined ? undefined : (step) => inScope(scope, step);
    },
    yielded() {
      // What a node yields is its agent's.
    },
    left(_failed, returned) {
      const { node } = scope;
      scope.node = undefined;
      scope.frame = undefined;
      if (node !== undefined && memory !== undefined) endNode(copy, memory, node, returned);
    },
  };
}

function memoryOf(state: unknown): SwarmMemory | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const known = memories.get(state);
  if (known !== undefined) return known;
  const context = activeContext();
  const task = currentFrame()?.run.record.task ?? enclosingRun(context)?.task ?? frameOf(context)?.task;
  const memory: SwarmMemory = {
    nonce: randomUUID(),
    task: task ?? ambientTask(context) ?? beginTask(undefined),
    steps: 0,
    last: undefined,
    paused: undefined,
  };
  memories.set(state, memory);
  return memory;
}

function beginNode(
  copy: PatchedCopy,
  swarm: object,
  memory: SwarmMemory,
  [node, , state, envelope, , shared]: readonly unknown[],
): NodeStep | undefined {
  const nodeId = text(ownData(node, 'id'));
  if (nodeId === undefined) return undefined;
  const { last, paused } = memory;
  memory.paused = undefined;
  const begun = (handoff: StrandsHandoff | undefined, task: Task): NodeStep => ({
    nodeId,
    node: node as NodeLike,
    task,
    handoff,
    frame: undefined,
  });
  if (paused?.nodeId === nodeId) {
    const { handoff } = paused;
    // The same handoff is executed again: its id stays.
    if (handoff !== undefined && handoff.followed.outcome !== undefined)
      handoff.followed.state = { ...handoff.followed.state, execution: handoff.followed.state.execution + 1 };
    return begun(handoff, handoff?.followed.onward ?? memory.task);
  }
  // Of a swarm whose state was restored, only the results say who ran last.
  const lastId = last?.nodeId ?? text(ownData(elements(memberOf(state, 'results').value).at(-1), 'nodeId'));
  if (ownData(envelope, 'agentId') !== nodeId || lastId === undefined || lastId === nodeId)
    return begun(undefined, memory.task);
  memory.steps += 1;
  const { message, context } = envelope as EnvelopeLike;
  const source = last?.frame;
  const handoff = askHandoff({
    wiring: copy.wiring,
    source,
    sourceName: lastId,
    target: nodeId,
    task: source?.run.record.task ?? memory.task,
    idParts: [text(ownData(swarm, 'id')) ?? '', memory.nonce, memory.steps, lastId, nodeId],
    mode: 'transfer',
    context: source?.run.context ?? activeContext(),
    shared,
    sent: [context, message],
  });
  return begun(handoff, handoff.followed.onward);
}

function endNode(copy: PatchedCopy, memory: SwarmMemory, step: NodeStep, returned: unknown): void {
  const { nodeId, handoff, frame } = step;
  const status = ownData(returned, 'status');
  if (status === 'INTERRUPTED') {
    memory.paused = { nodeId, handoff };
    return;
  }
  memory.last = { nodeId, frame };
  if (handoff === undefined || frame !== undefined) return;
  if (status !== 'COMPLETED') {
    dropHandoff(handoff, status === 'CANCELLED' ? 'cancelled' : undefined);
    return;
  }
  // Something other than an agent of the SDK's ran as the node, such as a client of a remote one.
  concludeHandoff(handoff, undefined, handoff.sent);
  dispatched(handoff);
  endRun(startRun({ wiring: copy.wiring, agent: nodeId, context: activeContext(), startedBy: [handoff.followed] }));
}
