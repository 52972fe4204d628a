// Runs on a thread of its own, as CommonJS (see thread-exporter.ts): the OTLP exporter, with everything that waits for a
// network. Loader hooks of the application do not apply here.
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { type MessagePort, workerData } from 'node:worker_threads';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { OtlpProtocol } from './export-settings.js';
import { fromBatch, type SentBatch } from './sent-span.js';

/** What the thread is started with. */
export interface ThreadData {
  readonly file: string;
  readonly protocol: OtlpProtocol;
  readonly endpoint: string;
  readonly port: MessagePort;
  /** Shared with the main thread, which may wait on it: see {@link Slot}. */
  readonly progress: Int32Array;
}

/** `TICK` changes with every other slot, so one wait sees all. */
export const Slot = { TICK: 0, DONE: 1, UNREACHABLE: 2 } as const;

/** What came of one batch. */
export interface ThreadAnswer {
  readonly error: string | undefined;
}

const PACKAGES: Readonly<Record<OtlpProtocol, string>> = {
  'http/protobuf': '@opentelemetry/exporter-trace-otlp-proto',
  'http/json': '@opentelemetry/exporter-trace-otlp-http',
  grpc: '@opentelemetry/exporter-trace-otlp-grpc',
};

/** Starts the thread's work. Called by the few lines that the main thread hands over. */
export function serve(): void {
  const { file, protocol, endpoint, port, progress } = workerData as ThreadData;
  const note = (slot: number, value: number): void => {
    Atomics.store(progress, slot, value);
    Atomics.add(progress, Slot.TICK, 1);
    Atomics.notify(progress, Slot.TICK);
  };
  watchRetries(() => probe(endpoint, () => note(Slot.UNREACHABLE, 1)));
  const load = createRequire(file);
  let exporter: SpanExporter | undefined;
  port.on('message', (batch: SentBatch) => {
    const answer = (error?: string): void => {
      port.postMessage({ error } satisfies ThreadAnswer);
      if (error === undefined) note(Slot.UNREACHABLE, 0);
      note(Slot.DONE, Atomics.load(progress, Slot.DONE) + 1);
    };
    try {
      exporter ??= new (load(PACKAGES[protocol]) as { OTLPTraceExporter: new () => SpanExporter }).OTLPTraceExporter();
      exporter.export(fromBatch(batch), ({ code, error }) =>
        answer(code === ExportResultCode.SUCCESS ? undefined : (error?.message ?? 'the collector refused them')),
      );
    } catch (error) {
      answer(error instanceof Error ? error.message : String(error));
    }
  });
}

/** The exporter retries for seconds and tells nobody but `diag`. */
function watchRetries(retrying: () => void): void {
  const quiet = (): void => undefined;
  const watch = (message: string): void => {
    if (message.startsWith('Scheduling export retry')) retrying();
  };
  const logger = { error: quiet, warn: quiet, info: quiet, debug: quiet, verbose: watch };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true });
}

/** Nobody listens there: an application that is about to exit need not wait for retries. */
function probe(endpoint: string, unreachable: () => void): void {
  if (!URL.canParse(endpoint)) return unreachable();
  const { hostname, port, protocol } = new URL(endpoint);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  });
  socket.on('connect', () => socket.destroy());
  socket.on('error', unreachable);
}
