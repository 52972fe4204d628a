import { widest } from '../../capture/channel.js';
import type { HandoffContractError } from '@seamtrace/contracts';
import { unite } from '../../capture/unite.js';
import type { Task } from '../../handoff/task.js';
import {
  beginHandoff,
  endHandoff,
  type HandoffRequest,
  refuseHandoff,
  setPayload,
  setSource,
} from '../../hooks/handoff.js';
import { stageEvidence } from '../../hooks/stage-carriers.js';
import type { Wiring } from '../../hooks/wiring.js';
import { unseenStage } from '../../capture/stage-capture.js';
import { read, readableBy, readableIn } from './carriers.js';
import type { AgentFrame, StrandsHandoff } from './scope.js';

/** What a handoff is asked for with. */
export interface Asked {
  readonly wiring: Wiring;
  /** The agent that hands over; `undefined` where it ran before a restart, and only its name is known. */
  readonly source: AgentFrame | undefined;
  readonly sourceName: string;
  readonly target: string;
  readonly task: Task;
  readonly idParts: readonly (string | number)[];
  readonly mode: 'transfer' | 'delegation';
  readonly context: HandoffRequest['context'];
  readonly shared: unknown;
  readonly sent: readonly unknown[];
}

/** An agent asks to hand over: the handoff is on record from now on, with what its source can read. */
export function askHandoff(asked: Asked): StrandsHandoff {
  const { wiring, source, sourceName, target, task, idParts, mode, context, shared, sent } = asked;
  const from = source === undefined || source.run.ended ? undefined : source.run.record;
  const followed = beginHandoff({
    wiring,
    source: sourceName,
    target,
    prefix: 'strands',
    idParts,
    task,
    context,
    mode,
    from,
  });
  const own = source === undefined ? [] : readableBy(source);
  const reading = read(wiring, followed.terms, shared, [...own, ...sent]);
  const { channel } = reading;
  const readable = () => [...(source === undefined ? [] : readableIn(source.messages)), ...sent];
  const evidence = stageEvidence(reading.capture, followed.terms, { channel, readable });
  // What an agent of an earlier process could read is not known.
  setSource(followed, source === undefined && mode === 'transfer' ? unseenStage('unsupported') : evidence);
  return { followed, source, sent, asked: reading };
}

/** The target is about to run. Returns the error with which an enforcing producer keeps it from running. */
export function concludeHandoff(
  handoff: StrandsHandoff,
  shared: unknown,
  sent: readonly unknown[],
): HandoffContractError | undefined {
  const { followed, asked } = handoff;
  const reading = read(followed.wiring, followed.terms, shared, sent);
  const channel = widest(asked.channel, reading.channel);
  const evidence = stageEvidence(reading.capture, followed.terms, { channel, readable: () => sent });
  setPayload(followed, evidence, { channel });
  return refuseHandoff(followed, 'source') ?? refuseHandoff(followed, 'payload');
}

export function dispatched(handoff: StrandsHandoff): void {
  endHandoff(handoff.followed, 'dispatched');
}

/** It was asked for, and nobody ran by it. */
export function dropHandoff({ followed, asked, sent }: StrandsHandoff, errorType?: string): void {
  if (followed.outcome !== undefined) return;
  const reading = read(followed.wiring, followed.terms, undefined, sent);
  const capture = unite(reading.capture, asked.capture, followed.terms);
  setPayload(followed, stageEvidence(capture, followed.terms, { channel: asked.channel, readable: () => sent }), {
    channel: asked.channel,
  });
  endHandoff(followed, 'dropped', { errorType });
}
