import type { AnalyzerOptions } from '@seamtrace/analyzer';
import { SETTINGS, type Settings } from '../config/settings.js';
import { thresholdsOf } from '../config/threshold-settings.js';

/** The part of the settings that is the analyzer's, in its units. */
export function analyzerOptions(settings: Settings): AnalyzerOptions {
  return {
    otlpHttp: settings.otlpHttp,
    // The analyzer can do without an address that nobody asked for, and must not do without one that somebody did.
    otlpGrpc: settings.otlpGrpc === SETTINGS.otlpGrpc.fallback ? undefined : settings.otlpGrpc,
    admin: settings.admin,
    ingestSecurity: {
      tokens: settings.ingestToken === undefined ? undefined : [settings.ingestToken],
      tokenFile: settings.ingestTokenFile,
      tlsCert: settings.ingestTlsCert,
      tlsKey: settings.ingestTlsKey,
      clientCa: settings.ingestClientCa,
    },
    adminSecurity: {
      tokens: settings.adminToken === undefined ? undefined : [settings.adminToken],
      tokenFile: settings.adminTokenFile,
      tlsCert: settings.adminTlsCert,
      tlsKey: settings.adminTlsKey,
      clientCa: settings.adminClientCa,
    },
    thresholds: thresholdsOf(settings),
    data: settings.durability === 'none' ? undefined : settings.data,
    durability: settings.durability,
    verdictEndpoint: settings.verdictEndpoint,
    settleMs: milliseconds(settings.settleSeconds),
    deadlineMs: milliseconds(settings.deadlineSeconds),
    retentionMs: milliseconds(settings.retentionSeconds),
    taskSilenceMs: milliseconds(settings.taskSilenceSeconds),
    maxPending: settings.maxPending,
    maxStateBytes: settings.maxStateBytes,
    maxBodyBytes: settings.maxBodyBytes,
    maxJournalPendingBytes: settings.maxJournalPendingBytes,
    maxDedupe: settings.maxDedupe,
    maxLabelValues: settings.maxLabelValues,
    maxQueuedEvents: settings.maxQueuedEvents,
    stopTimeoutMs: milliseconds(settings.stopTimeoutSeconds),
  };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Where a problem of the analyzer's options is, in the words of whoever wrote the settings. */
export function settingNamed(where: string): string {
  const [, listener, option = ''] = /^(ingest|admin)Security\.(\w+)$/.exec(where) ?? [];
  const name = `${listener}${option.charAt(0).toUpperCase()}${option.slice(1)}`.replace(/Tokens$/, 'Token');
  if (listener === undefined || !Object.hasOwn(SETTINGS, name)) return where;
  const { flag, env } = SETTINGS[name as keyof typeof SETTINGS];
  return flag ?? env;
}
