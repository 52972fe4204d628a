import {
  METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE_AGE,
  METRIC_SEAMTRACE_HANDOFF_LATENCY,
  METRIC_SEAMTRACE_INGEST_DURATION,
} from '@seamtrace/semconv';
import type { MetricDefinition } from '@seamtrace/semconv';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

const BY_NAME: Readonly<Record<string, readonly number[]>> = {
  // A handoff through a queue or a person takes minutes to hours, one in process microseconds.
  [METRIC_SEAMTRACE_HANDOFF_LATENCY]: [0.001, ...SECONDS, 3600],
  [METRIC_SEAMTRACE_INGEST_DURATION]: [0.001, ...SECONDS],
  [METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE_AGE]: [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600],
};

const BY_UNIT: Readonly<Record<string, readonly number[]>> = {
  s: SECONDS,
  By: [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
  '{hop}': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30],
};

/** Upper bounds of a histogram's buckets. */
export function bucketsOf({ name, unit }: MetricDefinition): number[] {
  return [...(BY_NAME[name] ?? BY_UNIT[unit] ?? SECONDS)];
}
