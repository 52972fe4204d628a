import type { Finding } from '../types.js';
import type { Ruling } from '../rows.js';
import type { Subject } from '../subject.js';

/** Numbers behind findings. Each is the documented default of a setting. */
export interface FindingThresholds {
  /** Share of transcript in the payload's bytes above which it is a context dump. */
  readonly contextDumpShare: number;
  /** Payloads of fewer bytes are never called a dump: a short note may be all text. */
  readonly contextDumpMinBytes: number;
  /** Payload bytes above which a payload without a single reference has inlined its content. */
  readonly inlinedContentBytes: number;
}

export const DEFAULT_THRESHOLDS: FindingThresholds = {
  contextDumpShare: 0.5,
  contextDumpMinBytes: 4096,
  inlinedContentBytes: 65_536,
};

export interface FindingInput {
  readonly subject: Subject;
  readonly ruling: Ruling;
  readonly thresholds: FindingThresholds;
}

/** One pass: what it finds in the evidence of one handoff, if anything. */
export type FindingPass = (input: FindingInput) => Finding | undefined;
