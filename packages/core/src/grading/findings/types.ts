import type { Finding } from '../types.js';
import type { Ruling } from '../rows.js';
import type { Subject } from '../subject.js';
import type { InTask } from './whole-task.js';

/** Numbers behind findings. Each is a setting; {@link DEFAULT_THRESHOLDS} are their defaults. */
export interface FindingThresholds {
  /** `context_dump`: share of transcript in the payload's bytes above which it is one. */
  readonly contextDumpShare: number;
  /** `context_dump`: payloads of fewer bytes are never one, since a short note may be all text. */
  readonly contextDumpMinBytes: number;
  /** `inlined_content`: payload bytes above which a payload without a single reference has inlined its content. */
  readonly inlinedContentBytes: number;
  /** `envelope_growth`: hops in a row, the last one included, over which the size must have risen at each; at least 2. */
  readonly envelopeGrowthHops: number;
  /** `envelope_growth`: mean rise in bytes per hop above which it is one. A reference takes a few hundred bytes. */
  readonly envelopeGrowthBytesPerHop: number;
  /** `loop` on unstamped traffic: times in a row that the same routes were walked, from which on it is one; at least 2. */
  readonly loopRounds: number;
  /** `budget_underreported`: share of the observed tokens or time that a sender may leave out, since it counts earlier. */
  readonly budgetToleranceShare: number;
}

export const DEFAULT_THRESHOLDS: FindingThresholds = {
  contextDumpShare: 0.5,
  contextDumpMinBytes: 4096,
  inlinedContentBytes: 65_536,
  envelopeGrowthHops: 3,
  envelopeGrowthBytesPerHop: 512,
  loopRounds: 2,
  budgetToleranceShare: 0.1,
};

export interface FindingInput {
  readonly subject: Subject;
  readonly ruling: Ruling;
  readonly thresholds: FindingThresholds;
  /** As `placeInTask` tells it: `undefined` where nothing may rest on the rest of the task. */
  readonly task: InTask | undefined;
}

/** One pass: what it finds in the evidence of one handoff, if anything. */
export type FindingPass = (input: FindingInput) => Finding | undefined;
