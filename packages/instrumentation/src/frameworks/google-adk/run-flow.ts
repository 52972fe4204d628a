import { types } from 'node:util';
import type { HandoffContractError } from '@seamtrace/contracts';
import { frameOf } from '../../accept/frame.js';
import { ambientTask } from '../../handoff/ambient-task.js';
import { beginTask, type Task } from '../../handoff/task.js';
import { endRun, startRun } from '../../hooks/agent-run.js';
import { errorTypeOf, OTHER_ERROR } from '../../hooks/error-type.js';
import { ownData, text } from '../../hooks/own-data.js';
import { activeContext, within } from '../../hooks/scope.js';
import { enclosingRun } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import { isAborted } from './abort.js';
import {
  type AdkHandoff,
  type AgentFrame,
  currentFrame,
  type FrameCell,
  type OpenCall,
  withFrame,
} from './agent-frame.js';
import { type AgentShape, shapeOf } from './agent-shape.js';
import { delegateReturns, delegationInto } from './delegation.js';
import { ownWorkStarts, returnsUnseen } from './destination.js';
import type { GeneratorFlow } from '../../hooks/follow-generator.js';
import { askHandoff, concludeHandoff, dispatched, dropHandoff, idOf, sessionIdOf } from './handoff-flow.js';
import type { AgentLike, InvocationContextLike } from './internal-types.js';
import type { PatchedCopy } from './patch.js';
import { asksPerson } from './people.js';
import { stepBegan, stepEnded, stepInto } from './steps.js';
import { closeCall } from './tool-calls.js';

/** Agents at work. One whose generator nobody reads to its end is let go with it, so none is held here. */
const openFrames = new Set<WeakRef<AgentFrame>>();
const unread = new FinalizationRegistry<WeakRef<AgentFrame>>((reference) => openFrames.delete(reference));

/** Ends what is open as the process exits: the agents inside first. */
export function endOpenRuns(): void {
  for (const reference of [...openFrames].reverse()) {
    const frame = reference.deref();
    if (frame !== undefined) leaveAgent(frame, undefined, 'cancelled');
  }
}

/** Follows one agent from the first `next()` of its generator to its end. */
export function agentFlow(copy: PatchedCopy, agent: AgentLike, context: InvocationContextLike): GeneratorFlow {
  const cell: FrameCell = { frame: undefined };
  return {
    enter() {
      const begun = copy.active
        ? guarded('the start of an agent', () => enterAgent(copy, agent, context), undefined)
        : undefined;
      if (begun === undefined) return undefined;
      if ('refused' in begun) throw begun.refused;
      cell.frame = begun;
      const { context: inside } = begun.run;
      return (step) => withFrame(cell, () => within(inside, step));
    },
    yielded(event) {
      if (cell.frame !== undefined) eventMade(cell.frame, event);
    },
    left(failed) {
      if (cell.frame !== undefined) leaveAgent(cell.frame, failed);
      cell.frame = undefined;
    },
  };
}

/** How an agent came to run. */
interface Arrival {
  readonly startedBy: readonly AdkHandoff[];
  readonly sources: readonly AgentFrame[];
  readonly parent?: AgentFrame | undefined;
  readonly inside?: OpenCall | undefined;
  readonly before?: readonly AgentFrame[];
  readonly task?: Task | undefined;
}

function enterAgent(
  copy: PatchedCopy,
  agent: AgentLike,
  context: InvocationContextLike,
): AgentFrame | { readonly refused: HandoffContractError } | undefined {
  if (types.isProxy(agent) || types.isProxy(context)) return undefined;
  const name = text(ownData(agent, 'name'));
  if (name === undefined) return undefined;
  const around = currentFrame();
  const shape = shapeOf(agent, copy.module.RemoteA2AAgent?.prototype);
  const arrival = arrive(around, name, shape, idOf(context));
  for (const [index, handoff] of arrival.startedBy.entries()) {
    const source = arrival.sources[index] as AgentFrame;
    const refused = concludeHandoff(handoff, source, agent, context);
    if (refused !== undefined) return { refused };
    dispatched(handoff);
  }
  const frame = createFrame(copy, { agent, name, shape, context, arrival, around });
  if (arrival.parent?.shape === 'model') arrival.parent.movedTo = frame;
  else if (arrival.parent !== undefined) stepBegan(arrival.parent, frame);
  // An agent without a model reads the state that it shares as soon as it works.
  if (shape === 'own') {
    const refused = ownWorkStarts(frame);
    if (refused !== undefined) {
      leaveAgent(frame, { error: refused });
      return { refused };
    }
  }
  return frame;
}

function arrive(
  around: AgentFrame | undefined,
  name: string,
  shape: AgentShape,
  invocationId: string | undefined,
): Arrival {
  if (around === undefined) return { startedBy: [], sources: [] };
  if (around.call !== undefined) {
    const { call } = around;
    const handoff = delegationInto(around, call, name);
    return handoff === undefined
      ? { startedBy: [], sources: [], inside: call }
      : { startedBy: [handoff], sources: [around], inside: call };
  }
  // Another invocation that no tool call began: a callback of the application's runs an agent for itself.
  if (around.invocationId !== invocationId) return { startedBy: [], sources: [] };
  if (around.shape === 'model') {
    const handoff = transferInto(around, name);
    return {
      startedBy: handoff === undefined ? [] : [handoff],
      sources: [around],
      parent: around,
      task: handoff === undefined ? around.run.record.task : undefined,
    };
  }
  const arranges = shape === 'steps' || shape === 'branches' || shape === 'choice';
  const { startedBy, before, task } = stepInto(around, name, arranges);
  const sources = startedBy.map(({ source }) => around.steps.before.find((each) => each.name === source) as AgentFrame);
  return { startedBy, sources, parent: around, before, task };
}

/** The transfer by which an agent begins inside the one that asked for it. The framework runs one a turn, the last. */
function transferInto(around: AgentFrame, name: string): AdkHandoff | undefined {
  const asked = around.transfers.splice(0);
  const meant = asked.findLast(({ granted, target }) => granted === name || target === name) ?? asked.at(-1);
  for (const each of asked) if (each !== meant) dropHandoff(each, around);
  if (meant !== undefined) return meant;
  return name === around.name ? undefined : askHandoff(around, { target: name, call: undefined, mode: 'transfer' });
}

interface NewFrame {
  readonly agent: AgentLike;
  readonly name: string;
  readonly shape: AgentShape;
  readonly context: InvocationContextLike;
  readonly arrival: Arrival;
  readonly around: AgentFrame | undefined;
}

function createFrame(copy: PatchedCopy, { agent, name, shape, context, arrival, around }: NewFrame): AgentFrame {
  const { startedBy, parent, inside, before = [] } = arrival;
  const conversationId = sessionIdOf(context);
  const run = startRun({
    wiring: copy.wiring,
    agent: name,
    context: activeContext(),
    startedBy: startedBy.map(({ followed }) => followed),
    task: arrival.task ?? (startedBy.length > 0 ? undefined : (around?.run.record.task ?? firstTask(conversationId))),
    conversationId,
  });
  const frame: AgentFrame = {
    run,
    agent,
    name,
    shape,
    context,
    invocationId: idOf(context),
    invocation:
      around !== undefined && around.invocationId === idOf(context)
        ? around.invocation
        : { asked: new Map(), answered: false },
    parent,
    inside,
    around,
    started: startedBy,
    steps: { before, group: [], active: 0 },
    call: undefined,
    transfers: [],
    returns: [],
    wrote: [],
    movedTo: undefined,
    modelError: undefined,
    errorType: undefined,
    reference: undefined,
  };
  frame.reference = new WeakRef(frame);
  openFrames.add(frame.reference);
  unread.register(frame, frame.reference, frame);
  return frame;
}

/** The task of an agent that nothing of ours started. The session is what the framework groups runs by. */
function firstTask(conversationId: string | undefined): Task | undefined {
  const context = activeContext();
  if (enclosingRun(context) !== undefined || frameOf(context) !== undefined) return undefined;
  return ambientTask(context) ?? beginTask(undefined, conversationId);
}

/** An event that passes through the agent, of its own or of an agent inside. */
function eventMade(frame: AgentFrame, event: unknown): void {
  if (ownData(event, 'author') !== frame.name) return;
  asksPerson(frame, event);
  const code = ownData(event, 'errorCode');
  frame.errorType = code === undefined || code === null ? undefined : (frame.modelError ?? errorCode(code));
  frame.modelError = undefined;
  const delta = ownData(ownData(event, 'actions'), 'stateDelta');
  if (typeof delta === 'object' && delta !== null && Object.keys(delta).length > 0) frame.wrote.push(delta);
}

function errorCode(code: unknown): string {
  return (typeof code === 'string' || typeof code === 'number') && /^\w{1,64}$/.test(String(code))
    ? String(code)
    : OTHER_ERROR;
}

function leaveAgent(frame: AgentFrame, failed?: { readonly error: unknown }, cutOff?: string): void {
  if (frame.run.ended) return;
  if (frame.reference !== undefined) openFrames.delete(frame.reference);
  unread.unregister(frame);
  const aborted = isAborted(frame.context);
  const thrown = failed === undefined ? (cutOff ?? frame.errorType) : errorTypeOf(failed.error);
  const errorType = aborted ? 'cancelled' : thrown;
  closeCall(frame, errorType);
  for (const each of frame.transfers.splice(0)) dropHandoff(each, frame, errorType);
  returnsUnseen(frame);
  if (frame.parent !== undefined && frame.parent.shape !== 'model') stepEnded(frame.parent);
  const { around, inside } = frame;
  if (inside !== undefined && around !== undefined && failed === undefined && cutOff === undefined && !aborted)
    delegateReturns(frame, around, inside);
  endRun(frame.run, { errorType });
}
