import { keyedDigest } from '@seamtrace/contracts';
import type { PayloadChannel } from '@seamtrace/semconv';
import { payloadSize } from '../capture/payload-size.js';
import { captureStage, type StageCapture, unseenStage } from '../capture/stage-capture.js';
import { toolNames } from '../capture/tools-kept.js';
import { nextHop, rehop, returnHop } from '../handoff/hop.js';
import { latestKnown } from '../handoff/known.js';
import type { ContractTerms, HandoffState, Hop } from '../handoff/state.js';
import { beginTask, carriedTask, namedTask, type Task } from '../handoff/task.js';
import { handoffId } from './identify.js';
import * as read from './options.js';
import type { Origin } from './task-at-hand.js';

const MAX_SIZED_KEYS = 10_000;

/** What a dispatch is prepared from. */
export interface Draft {
  readonly options: read.DispatchOptions;
  readonly origin: Origin;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly routeName: string | undefined;
  readonly terms: ContractTerms | undefined;
  /** The limit that the route's contract sets for tasks that begin with it. */
  readonly routeLimit: number | undefined;
  readonly payload: unknown;
  readonly secret: string | undefined;
}

/** All that is known of one dispatch: identity, hop, and the evidence of source and payload. */
export function prepareHandoff(draft: Draft): HandoffState {
  const { options, origin, terms, secret, from, to } = draft;
  const stated = read.taskOption(options.task);
  const leg = read.legOption(options.leg);
  const id = read.idOption('id', options.id) ?? derivedId(draft, stated?.id);
  const attempt = read.countOption('attempt', options.attempt) ?? 1;
  const retryOf = read.idOption('retryOf', options.retryOf);
  const earlier = attempt > 1 ? latestKnown(id, attempt - 1) : retryOf === undefined ? undefined : latestKnown(retryOf);

  const task = taskOf(stated, origin, earlier);
  const channel = channelOf(options, draft.payload);
  const sourceCapture = captureStage(options.source, terms, secret, toolNames(options.tools));
  const payloadCapture = capturePayload(draft, channel, sourceCapture);
  return {
    id,
    attempt,
    execution: 1,
    retryOf,
    kind: read.kindOption(options.kind),
    mode: read.modeOption(options.mode),
    leg,
    inReplyTo: leg === 'return' ? repliesTo(options, origin) : undefined,
    route: draft.routeName,
    source: { name: from, role: read.roleOption('sourceRole', options.sourceRole) },
    target: { name: to, role: read.roleOption('targetRole', options.targetRole) },
    task: task.identity,
    correlationId: read.nameOption('correlationId', options.correlationId) ?? task.correlationId,
    caseId: read.nameOption('caseId', options.caseId),
    hop: hopOf(draft, task, leg === 'return', earlier),
    contract: terms,
    sourceCapture,
    payloadCapture,
    payload: { channel, ...sizes(draft.payload, channel, payloadCapture) },
    goalDigest:
      typeof options.goal === 'string' && secret !== undefined ? keyedDigest(secret, options.goal) : undefined,
  };
}

function derivedId({ options, origin, to }: Draft, taskId: string | undefined): string {
  return handoffId({
    callId: read.nameOption('callId', options.callId),
    runId: read.nameOption('runId', options.runId),
    taskId,
    startedBy: (origin.run?.startedBy.at(-1) ?? origin.frame)?.state.id,
    target: to,
  });
}

function taskOf(stated: HandoffState['task'], origin: Origin, earlier: HandoffState | undefined): Task {
  if (stated !== undefined) return namedTask(stated, origin.task);
  if (origin.task !== undefined) return origin.task;
  return earlier === undefined ? beginTask(undefined) : carriedTask(earlier.task, earlier.correlationId, earlier.hop);
}

/** A return answers the handoff that started the work at hand, unless the application names another. */
function repliesTo(options: read.DispatchOptions, origin: Origin): string | undefined {
  return read.idOption('inReplyTo', options.inReplyTo) ?? (origin.run?.startedBy.at(-1) ?? origin.frame)?.state.id;
}

function hopOf(
  { options, origin, from, to, routeLimit }: Draft,
  task: Task,
  returns: boolean,
  earlier: HandoffState | undefined,
): Hop | undefined {
  if (returns) {
    const answered = repliesTo(options, origin);
    return returnHop((answered === undefined ? undefined : latestKnown(answered)?.hop) ?? task.hop);
  }
  if (to === undefined) return undefined;
  if (earlier?.hop !== undefined) return rehop(earlier.hop, to);
  return nextHop(task, from, to, read.countOption('hopLimit', options.hopLimit) ?? routeLimit);
}

function channelOf(options: read.DispatchOptions, payload: unknown): PayloadChannel {
  const stated = read.channelOption(options.channel);
  if (stated !== undefined) return stated;
  return typeof payload === 'string' && !/^\s*[{[]/.test(payload) ? 'text' : 'envelope';
}

/** Text proves that something was sent, and never that something is missing. */
function capturePayload({ options, payload, terms, secret }: Draft, channel: PayloadChannel, source: StageCapture) {
  if (channel === 'text') return unseenStage('unsupported');
  return payload === options.source ? source : captureStage(payload, terms, secret, toolNames(options.tools));
}

function sizes(
  payload: unknown,
  channel: PayloadChannel,
  { keys }: StageCapture,
): { size?: number; textSize?: number } {
  // Listing the members of a very wide object takes long, and its capture has done it once.
  const size = keys.keyCount > MAX_SIZED_KEYS ? undefined : payloadSize(payload);
  if (size === undefined) return {};
  return channel === 'text' ? { size, textSize: size } : { size };
}
