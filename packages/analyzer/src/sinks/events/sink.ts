import { ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import type { Context } from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { type HandoffRecord, fact } from '@seamtrace/core';
import { ATTR_SEAMTRACE_VERDICT_ID, ATTR_SEAMTRACE_VERDICT_REVISION } from '@seamtrace/semconv';
import type { EventOutcome } from '@seamtrace/semconv';
import type { Logger } from 'pino';
import { spanOf } from '../span.js';
import type { Verdict } from '../verdict.js';
import { withinTime } from '../within-time.js';
import { rejectionAttributes, verdictAttributes } from './attributes.js';
import { endpointName } from './endpoint-name.js';
import { createPersistentExporter } from './persistent-exporter.js';
import { createPost } from './post.js';

export const VERDICT_EVENT = 'seamtrace.verdict';
export const REJECTED_EVENT = 'seamtrace.ingest.rejected';

const BATCH = 512;
const SCHEDULE_MS = 1_000;
/** What the endpoint may take to answer one attempt. */
const TIMEOUT_MS = 5_000;
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;
const MAX_RETRY_AFTER_MS = 60_000;
/** The longest that a timer can be: a batch ends when it is taken, refused for good, or abandoned. */
const NEVER_MS = 2 ** 31 - 1;

/** Sends verdict events as OTLP logs. */
export interface EventSink {
  /**
   * `settled` is called once when the endpoint has the verdict or refused it for good; not for a verdict that found no room
   * and not when a stop comes first, so that the next start delivers it.
   */
  emit(verdict: Verdict, settled: () => void): void;
  /** Resolves when the queue has moved on; `undefined` when it has room, or the endpoint takes nothing for now. */
  room(): Promise<void> | undefined;
  /** Sends what waits, for at most so long; resolves with the number of events that did not get through. */
  shutdown(timeoutMs: number): Promise<number>;
}

export interface EventSinkOptions {
  readonly endpoint: string;
  readonly version: string;
  readonly contractDigest: string | undefined;
  readonly maxQueued: number;
  readonly logger: Logger;
  readonly record: (outcome: EventOutcome, count: number) => void;
}

/** Queued or under way, at most `maxQueued` events; beyond it new ones are dropped and counted. */
export function createEventSink(options: EventSinkOptions): EventSink {
  const { version, contractDigest, maxQueued, logger, record } = options;
  const endpoint = endpointName(options.endpoint);
  let waiting = 0;
  // Each trouble is said once, until it is over.
  let dropping = false;
  let failing = false;
  let rejecting = false;
  const unsettled = new Map<string, () => void>();
  let waitingForRoom: (() => void)[] = [];

  function movedOn(): void {
    for (const resolve of waitingForRoom) resolve();
    waitingForRoom = [];
  }

  const exporter = createPersistentExporter({
    post: createPost(options.endpoint, TIMEOUT_MS),
    pauseMs: PAUSE_MS,
    maxPauseMs: MAX_PAUSE_MS,
    maxRetryAfterMs: MAX_RETRY_AFTER_MS,
    finished(outcome, count, why) {
      waiting -= count;
      record(outcome, count);
      movedOn();
      if (outcome === 'delivered') dropping = failing = false;
      if (why === 'abandoned') {
        logger.warn({ endpoint, events: count }, 'verdict events were not delivered before the stop');
      } else if (why.kind === 'taken') {
        if (outcome === 'failed' && !rejecting) {
          logger.warn({ endpoint, events: count, said: why.message }, 'the endpoint rejected verdict events');
        }
        if (outcome === 'failed' || why.rejected === 0) rejecting = outcome === 'failed';
      } else if (why.kind === 'refused' && !rejecting) {
        rejecting = true;
        logger.warn({ endpoint, events: count, status: why.status }, 'the endpoint refused verdict events for good');
      }
    },
    settled(records) {
      for (const { eventName, attributes } of records) {
        if (eventName !== VERDICT_EVENT) continue;
        const key = deliveryKey(attributes[ATTR_SEAMTRACE_VERDICT_ID], attributes[ATTR_SEAMTRACE_VERDICT_REVISION]);
        unsettled.get(key)?.();
        unsettled.delete(key);
      }
    },
    postponed({ status, reason }, pauseMs) {
      if (!failing) {
        const retryInSeconds = Math.ceil(pauseMs / 1000);
        logger.warn(
          { endpoint, status, reason, retryInSeconds },
          'the verdict endpoint takes nothing for now; trying on',
        );
      }
      failing = true;
      movedOn();
    },
  });
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'seamtrace-analyzer', 'service.version': version }),
    processors: [
      new BatchLogRecordProcessor({
        exporter,
        // The bound is kept here, where a drop can be counted; the processor's own is never reached.
        maxQueueSize: maxQueued,
        maxExportBatchSize: Math.min(BATCH, maxQueued),
        scheduledDelayMillis: SCHEDULE_MS,
        exportTimeoutMillis: NEVER_MS,
      }),
    ],
  });
  const events = provider.getLogger('@seamtrace/analyzer', version);

  function send(
    eventName: string,
    verdict: Verdict,
    body: string,
    attributes: ReturnType<typeof verdictAttributes>,
  ): boolean {
    if (waiting >= maxQueued) {
      if (!dropping) logger.warn({ endpoint, maxQueued }, 'the queue of verdict events is full; new ones are dropped');
      dropping = true;
      record('dropped', 1);
      return false;
    }
    waiting += 1;
    const fine = eventName === VERDICT_EVENT && verdict.graded.verdict === 'passed';
    events.emit({
      eventName,
      timestamp: verdict.reachedAt,
      observedTimestamp: verdict.reachedAt,
      severityNumber: fine ? SeverityNumber.INFO : SeverityNumber.WARN,
      severityText: fine ? 'INFO' : 'WARN',
      body,
      attributes,
      context: contextOf(verdict.record),
    });
    return true;
  }

  return {
    emit(verdict, settled) {
      const key = deliveryKey(verdict.verdictId, verdict.revision);
      // The same verdict may be under way already: a second delivery is the same event.
      const before = unsettled.get(key);
      unsettled.set(key, before === undefined ? settled : () => (before(), settled()));
      if (!send(VERDICT_EVENT, verdict, sentence(verdict), verdictAttributes(verdict, contractDigest))) {
        if (before === undefined) unsettled.delete(key);
      }
      if (!newlyRejected(verdict)) return;
      const who = verdict.graded.destination ?? 'the destination';
      send(REJECTED_EVENT, verdict, `${who} rejected the envelope`, rejectionAttributes(verdict));
    },
    room() {
      if (waiting < maxQueued || failing) return undefined;
      return new Promise((resolve) => void waitingForRoom.push(resolve));
    },
    async shutdown(timeoutMs) {
      const stopped = provider.shutdown().catch((error: unknown) => {
        logger.warn({ reason: String(error), endpoint }, 'the verdict events could not be shut down in order');
      });
      await withinTime(stopped, timeoutMs);
      const undelivered = waiting;
      exporter.abandon();
      return undelivered;
    },
  };
}

function deliveryKey(verdictId: unknown, revision: unknown): string {
  return `${String(verdictId)}/${String(revision)}`;
}

/** Trace and span id of the destination's span, else of the ingest's, else of the dispatch's. */
function contextOf(record: HandoffRecord): Context {
  const span = spanOf(record);
  if (span === undefined) return ROOT_CONTEXT;
  const { traceId, spanId } = span;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true });
}

/** A rejection is told once, with the verdict that is the first to rest on it. */
function newlyRejected({ record, previous }: Verdict): boolean {
  const rejected = (of: HandoffRecord) => fact(of, 'ingestOutcome') === 'rejected';
  return rejected(record) && (previous === undefined || !rejected(previous.record));
}

function sentence({ graded }: Verdict): string {
  const { verdict, boundary, missing_keys, reason } = graded;
  const way = `${graded.source ?? 'unknown'} to ${graded.target ?? 'unknown'}`;
  const what = missing_keys.length > 0 ? `: ${missing_keys.join(', ')}` : reason === null ? '' : `: ${reason}`;
  return verdict === 'passed' ? `${verdict}, ${way}` : `${verdict} at ${boundary}, ${way}${what}`;
}
