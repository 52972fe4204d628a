import { getStringFromEnv, getStringListFromEnv } from '@opentelemetry/core';
import { say } from '../runtime/say.js';

export type OtlpProtocol = 'http/protobuf' | 'http/json' | 'grpc';

/** What `OTEL_*` says of export; sampling, limits and batching are read by the SDK itself. */
export interface ExportSettings {
  readonly otlp: OtlpProtocol | undefined;
  readonly console: boolean;
}

const PROTOCOLS: readonly OtlpProtocol[] = ['http/protobuf', 'http/json', 'grpc'];

/**
 * Reads `OTEL_SDK_DISABLED`, `OTEL_TRACES_EXPORTER` (`otlp` by default, `console`, `none`, or a list) and
 * `OTEL_EXPORTER_OTLP_(TRACES_)PROTOCOL` (`http/protobuf` by default). What is named and not known is said in one line.
 */
export function readExportSettings(): ExportSettings {
  const nothing = { otlp: undefined, console: false };
  if (getStringFromEnv('OTEL_SDK_DISABLED')?.trim().toLowerCase() === 'true') return nothing;
  const exporters = getStringListFromEnv('OTEL_TRACES_EXPORTER') ?? [];
  if (exporters.includes('none')) return nothing;
  const unknown = exporters.filter((name) => name !== 'otlp' && name !== 'console');
  if (unknown.length > 0) {
    say(`OTEL_TRACES_EXPORTER names ${unknown.join(', ')}, which is not supported: use otlp, console or none`);
  }
  const otlp = exporters.length === 0 || exporters.includes('otlp') ? readProtocol() : undefined;
  return {
    otlp: otlp !== undefined && canSendBy(otlp) ? otlp : undefined,
    console: exporters.includes('console'),
  };
}

function readProtocol(): OtlpProtocol {
  const name =
    getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL');
  const known = PROTOCOLS.find((protocol) => protocol === name);
  if (name !== undefined && known === undefined) {
    say(`the OTLP protocol ${JSON.stringify(name)} is none of ${PROTOCOLS.join(', ')}; http/protobuf is used`);
  }
  return known ?? 'http/protobuf';
}

/** An endpoint of OTLP over HTTP needs its scheme; without one the exporter would fail with a message of its own on each batch. */
function canSendBy(protocol: OtlpProtocol): boolean {
  if (protocol === 'grpc') return true;
  const name = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find(
    (each) => getStringFromEnv(each) !== undefined,
  );
  const endpoint = name === undefined ? undefined : getStringFromEnv(name)?.trim();
  if (endpoint === undefined || (/^https?:\/\/./i.test(endpoint) && URL.canParse(endpoint))) return true;
  const advice = /^https?:\/\//i.test(endpoint) ? 'is no URL' : 'needs http:// or https:// in front';
  say(`${name}=${endpoint} ${advice}, as in http://localhost:4318; no spans are exported, and the application runs on`);
  return false;
}

/** Where OTLP goes, for messages and to see whether anybody listens there. */
export function tracesEndpoint(protocol: OtlpProtocol): string {
  const own = getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const base = own ?? getStringFromEnv('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (protocol === 'grpc') return base ?? 'http://localhost:4317';
  return own ?? `${(base ?? 'http://localhost:4318').replace(/\/$/, '')}/v1/traces`;
}
