import type { AnalyzerOptions } from '@seamtrace/analyzer';
import type { Settings } from '../config/settings.js';

/** The part of the settings that is the analyzer's, in its units. */
export function analyzerOptions(settings: Settings): AnalyzerOptions {
  return {
    otlpHttp: settings.otlpHttp,
    admin: settings.admin,
    data: settings.durability === 'none' ? undefined : settings.data,
    durability: settings.durability,
    verdictEndpoint: settings.verdictEndpoint,
    settleMs: milliseconds(settings.settleSeconds),
    deadlineMs: milliseconds(settings.deadlineSeconds),
    retentionMs: milliseconds(settings.retentionSeconds),
    taskSilenceMs: milliseconds(settings.taskSilenceSeconds),
    maxPending: settings.maxPending,
    maxBodyBytes: settings.maxBodyBytes,
    maxLabelValues: settings.maxLabelValues,
    maxQueuedEvents: settings.maxQueuedEvents,
    stopTimeoutMs: milliseconds(settings.stopTimeoutSeconds),
  };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
