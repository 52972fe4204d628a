import type { ANALYZER_DEFAULTS } from './defaults.js';

type NumberName = {
  [Name in keyof typeof ANALYZER_DEFAULTS]: (typeof ANALYZER_DEFAULTS)[Name] extends number ? Name : never;
}[keyof typeof ANALYZER_DEFAULTS];

const DAY_MS = 86_400_000;

/** The numeric options with the range in which each makes sense. All are integers. */
export const NUMBER_RANGES: Readonly<Record<NumberName, readonly [min: number, max: number]>> = {
  settleMs: [0, DAY_MS],
  deadlineMs: [1, 30 * DAY_MS],
  retentionMs: [0, 30 * DAY_MS],
  taskSilenceMs: [1, 30 * DAY_MS],
  maxPending: [1, 10_000_000],
  // Below that hardly a thousand handoffs fit, and every burst would push out the one before.
  maxStateBytes: [1024 ** 2, 64 * 1024 ** 3],
  // Below a kilobyte not even one honest span fits, and every batch would be refused.
  maxBodyBytes: [1024, 1024 ** 3],
  maxJournalPendingBytes: [1024, 64 * 1024 ** 3],
  maxDedupe: [0, 100_000_000],
  maxLabelValues: [1, 100_000],
  maxQueuedEvents: [1, 1_000_000],
  stopTimeoutMs: [0, 600_000],
};
