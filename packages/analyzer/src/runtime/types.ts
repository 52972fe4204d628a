import type { ListenAddress } from '../config/types.js';
import type { Durability } from '../journal/journal.js';

/** A handoff that `stop()` left without a verdict. */
export interface LeftBehind {
  readonly handoffId: string;
  readonly attempt: number;
  /** What it was still waiting for, such as `destination evidence, a named destination`. */
  readonly waitingFor: string;
}

/** What a graceful stop did. */
export interface StopReport {
  /** Verdicts that were brought forward by the stop, first grades and revisions together. */
  readonly graded: number;
  readonly ungraded: {
    readonly count: number;
    /** How many were waiting for what. */
    readonly reasons: Readonly<Record<string, number>>;
    /** At most ten, oldest first. */
    readonly examples: readonly LeftBehind[];
  };
  /** Handoffs without a verdict that the journal keeps for the next start; 0 with durability `none`. */
  readonly journaled: number;
  /** Verdict lines and events that could not be delivered before the time limit. */
  readonly undelivered: { readonly lines: number; readonly events: number };
}

export interface RunningAnalyzer {
  /** The bound addresses: a configured port 0 is the real port here. */
  readonly otlpHttp: ListenAddress;
  /** `undefined` where gRPC is off, or nobody asked for it and its default address was taken. */
  readonly otlpGrpc: ListenAddress | undefined;
  readonly admin: ListenAddress;
  /** What acknowledged evidence survives. */
  readonly durability: Durability;
  /** Reads tokens and certificates again at once, without waiting until it is seen that their files changed. */
  reload(): void;
  /**
   * Stops intake (503 with `Retry-After`), lets what is journaled through, flushes and closes. Without a
   * journal that outlives the process it grades what is whole; with one the next start goes on with it.
   * Repeated calls get the same promise. Never rejects; what went wrong is logged.
   */
  stop(): Promise<StopReport>;
}
