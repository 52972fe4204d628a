/** What applies where neither file, environment nor flag says otherwise (wire contract, sections 10 and 11). */
export const ANALYZER_DEFAULTS = Object.freeze({
  otlpHttp: Object.freeze({ host: '127.0.0.1', port: 4318 }),
  otlpGrpc: Object.freeze({ host: '127.0.0.1', port: 4317 }),
  admin: Object.freeze({ host: '127.0.0.1', port: 9464 }),
  settleMs: 5_000,
  deadlineMs: 600_000,
  retentionMs: 3_600_000,
  taskSilenceMs: 3_600_000,
  maxPending: 1_000_000,
  maxStateBytes: 256 * 1024 * 1024,
  maxBodyBytes: 64 * 1024 * 1024,
  maxJournalPendingBytes: 64 * 1024 * 1024,
  maxDedupe: 262_144,
  maxLabelValues: 100,
  maxQueuedEvents: 2_048,
  stopTimeoutMs: 10_000,
} as const);
