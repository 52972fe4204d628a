import type { AttributeValue } from '@seamtrace/core';
import { startOtlpSink } from './otlp-sink.js';
import type { OtlpSink, PlainMessage, SinkOptions } from './otlp-sink.js';
import { otlpTypes } from './otlp-types.js';
import { anyValue, attributeMap, child, id, integer, list, nanos, text } from './plain-otlp.js';

/** A log record as it arrived. */
export interface RecordedLog {
  readonly eventName: string;
  readonly body: AttributeValue;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly timeUnixNano: bigint;
  readonly observedTimeUnixNano: bigint;
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly resource: ReadonlyMap<string, AttributeValue>;
  readonly scope: { readonly name: string; readonly version: string };
}

export interface LogSink extends OtlpSink {
  /** Records of the requests answered with success, in order of arrival; grows while requests come in. */
  readonly records: readonly RecordedLog[];
  /** Resolves when at least `count` records have arrived. */
  waitForRecords(count: number): Promise<void>;
}

/** Starts a sink that takes OTLP logs on `/v1/logs`, for tests of verdict events. */
export async function startLogSink(options?: SinkOptions): Promise<LogSink> {
  const records: RecordedLog[] = [];
  const taken = (message: PlainMessage) => void records.push(...readRecords(message));
  const sink = await startOtlpSink('/v1/logs', otlpTypes.logsRequest, taken, options);
  return { ...sink, records, waitForRecords: (count) => sink.waitUntil(() => records.length >= count) };
}

function* readRecords(message: PlainMessage): Iterable<RecordedLog> {
  for (const resourceLogs of list(message, 'resourceLogs')) {
    const resource = attributeMap(child(resourceLogs, 'resource'));
    for (const scopeLogs of list(resourceLogs, 'scopeLogs')) {
      const scope = child(scopeLogs, 'scope');
      const shared = { resource, scope: { name: text(scope, 'name'), version: text(scope, 'version') } };
      for (const record of list(scopeLogs, 'logRecords')) yield { ...readRecord(record), ...shared };
    }
  }
}

function readRecord(record: PlainMessage): Omit<RecordedLog, 'resource' | 'scope'> {
  return {
    eventName: text(record, 'eventName'),
    body: anyValue(child(record, 'body')),
    severityNumber: integer(record, 'severityNumber'),
    severityText: text(record, 'severityText'),
    timeUnixNano: nanos(record, 'timeUnixNano'),
    observedTimeUnixNano: nanos(record, 'observedTimeUnixNano'),
    traceId: id(record, 'traceId'),
    spanId: id(record, 'spanId'),
    attributes: attributeMap(record),
  };
}
