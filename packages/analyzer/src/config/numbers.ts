/** The numeric options: their names in code and in a configuration file, the file's unit, and the range that makes sense. */
export interface NumberOption {
  readonly option:
    | 'settleMs'
    | 'deadlineMs'
    | 'retentionMs'
    | 'taskSilenceMs'
    | 'maxPending'
    | 'maxBodyBytes'
    | 'maxLabelValues'
    | 'maxQueuedEvents'
    | 'stopTimeoutMs';
  readonly fileKey: string;
  /** What one unit of the file is in the option's unit: 1000 for seconds in a `…Ms` option. */
  readonly scale: number;
  readonly min: number;
  readonly max: number;
  /** Fractions make sense in the file (seconds), never in a count. */
  readonly integer: boolean;
}

const DAY_MS = 86_400_000;

export const NUMBER_OPTIONS: readonly NumberOption[] = [
  { option: 'settleMs', fileKey: 'settle_s', scale: 1000, min: 0, max: DAY_MS, integer: false },
  { option: 'deadlineMs', fileKey: 'deadline_s', scale: 1000, min: 1, max: 30 * DAY_MS, integer: false },
  { option: 'retentionMs', fileKey: 'retention_s', scale: 1000, min: 0, max: 30 * DAY_MS, integer: false },
  { option: 'taskSilenceMs', fileKey: 'task_silence_s', scale: 1000, min: 1, max: 30 * DAY_MS, integer: false },
  { option: 'maxPending', fileKey: 'max_pending', scale: 1, min: 1, max: 10_000_000, integer: true },
  // Below a kilobyte not even one honest span fits, and every batch would be refused.
  { option: 'maxBodyBytes', fileKey: 'max_body_bytes', scale: 1, min: 1024, max: 1024 ** 3, integer: true },
  { option: 'maxLabelValues', fileKey: 'max_label_values', scale: 1, min: 1, max: 100_000, integer: true },
  { option: 'maxQueuedEvents', fileKey: 'max_queued_events', scale: 1, min: 1, max: 1_000_000, integer: true },
  { option: 'stopTimeoutMs', fileKey: 'stop_timeout_s', scale: 1000, min: 0, max: 600_000, integer: false },
];
