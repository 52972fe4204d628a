import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { type OtlpProtocol, tracesEndpoint } from './export-settings.js';
import type { ThreadAnswer } from './export-thread.js';
import { say } from '../runtime/say.js';
import { toBatch } from './sent-span.js';

/** An exporter whose network work is on a thread of its own. */
export interface ThreadExporter extends SpanExporter {
  /**
   * Blocks until everything that was handed over has been sent or has failed, at most `limitMs`. Gives up at once where
   * nobody listens at the endpoint. For the `exit` event, in which nothing asynchronous happens any more.
   */
  drainSync(limitMs: number): void;
  /** The same without blocking; the process stays alive for it. */
  drain(limitMs: number): Promise<void>;
}

const TICK = 0;
const DONE = 1;
const UNREACHABLE = 2;
const POLL_MS = 20;
/** Batches, of at most `OTEL_BSP_MAX_EXPORT_BATCH_SIZE` spans each, that wait for the network at a time. */
const MAX_IN_FLIGHT = 16;

/**
 * Sends spans over OTLP from a thread of its own. So an export never holds the application's event loop, a collector
 * that does not answer never keeps the process alive, and what is still unsent at `process.exit()` can be waited for:
 * the thread works on while the main thread blocks. The endpoint, headers, timeout, compression and certificates are read
 * from `OTEL_EXPORTER_OTLP_*` by the exporter there.
 *
 * A batch counts as exported once the thread has it: nothing in this thread then waits for the network. At most
 * {@link MAX_IN_FLIGHT} batches are with the thread; further ones are dropped until it has caught up.
 */
export function createThreadExporter(protocol: OtlpProtocol, here: string): ThreadExporter {
  const progress = new Int32Array(new SharedArrayBuffer(12));
  let posted = 0;
  let broken = false;
  /** A wait ended without everything sent; a second one, as at `exit` after `beforeExit`, would not help. */
  let gaveUp = false;
  let saidUnsent = false;
  const sayUnsent = (reason: string): void => {
    if (saidUnsent) return;
    saidUnsent = true;
    const advice = 'set OTEL_EXPORTER_OTLP_ENDPOINT, or OTEL_TRACES_EXPORTER=none';
    say(`spans could not be sent to ${tracesEndpoint(protocol)} (${reason}); ${advice}`);
  };
  const port = startThread(protocol, here, progress, (reason) => {
    broken = true;
    sayUnsent(reason);
  });
  const hear = ({ error }: ThreadAnswer): void => {
    if (error !== undefined) sayUnsent(error);
  };
  const inFlight = (): number => (broken ? 0 : posted - Atomics.load(progress, DONE));
  const hopeless = (): boolean => Atomics.load(progress, UNREACHABLE) === 1;
  const conclude = (): void => {
    for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port)) {
      hear(got.message as ThreadAnswer);
    }
    gaveUp = inFlight() > 0;
    if (gaveUp) sayUnsent(hopeless() ? 'nobody listens there' : 'no answer in time');
  };

  port.on('message', hear);
  port.unref();
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
      if (broken || inFlight() >= MAX_IN_FLIGHT) {
        if (!broken) sayUnsent('it does not keep up');
        return done({ code: ExportResultCode.FAILED });
      }
      posted += 1;
      gaveUp = false;
      port.postMessage(toBatch(spans));
      done({ code: ExportResultCode.SUCCESS });
    },
    drainSync(limitMs) {
      if (gaveUp) return;
      const deadline = Date.now() + limitMs;
      for (let left = limitMs; left > 0; left = deadline - Date.now()) {
        const tick = Atomics.load(progress, TICK);
        if (inFlight() === 0 || hopeless()) break;
        Atomics.wait(progress, TICK, tick, left);
      }
      conclude();
    },
    async drain(limitMs) {
      if (gaveUp) return;
      const deadline = Date.now() + limitMs;
      while (inFlight() > 0 && !hopeless() && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      conclude();
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

function startThread(
  protocol: OtlpProtocol,
  here: string,
  progress: Int32Array,
  failed: (reason: string) => void,
): MessagePort {
  // CommonJS by its file and without our or the application's --import: loading it needs no loader hook, and hooks may
  // need the main thread, which cannot answer while it waits at exit.
  const file = fileURLToPath(new URL('./cjs/register/export-thread.js', here));
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(`require(require('node:worker_threads').workerData.file).serve()`, {
    eval: true,
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    workerData: { file, protocol, endpoint: tracesEndpoint(protocol), port: port2, progress },
    transferList: [port2],
    name: 'seamtrace-export',
  });
  worker.on('error', (error) => failed(error instanceof Error ? error.message : String(error)));
  worker.on('exit', () => failed('the export thread ended'));
  worker.unref();
  return port1;
}
