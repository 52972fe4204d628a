import type { AnalyzerConfig } from '../config/types.js';
import { createPipeline } from '../pipeline.js';
import { createRepetitions } from '../repetitions.js';
import { createEventSink } from '../sinks/events/sink.js';
import { createLineSink } from '../sinks/lines.js';
import { createMetricsSink } from '../sinks/metrics/sink.js';
import { ANALYZER_VERSION } from '../version.js';
import { type Phase, createAdminServer } from '../views/admin.js';
import { createClock } from './clock.js';
import { createGuards, warnOfOpenIntake } from './guards.js';
import { createIntake } from './intake.js';
import { listenError } from './listen-error.js';
import { createPump } from './pump.js';
import { createOverLimitNotice } from './over-limit.js';
import { createReceiveObserver } from './receive-observer.js';
import { openJournal } from './open-journal.js';
import { stopReport } from './stop-report.js';
import type { RunningAnalyzer, StopReport } from './types.js';

/** Intake has been closed for a while when connections are: what is open then only waits for its 503. */
const GRACE_MS = 1_000;
/** Requests under way at a stop get this share of its time; verdicts that wait for their readers get the rest. */
const INTAKE_SHARE = 0.5;
/** Verdicts that late mean that more comes in than can be graded. */
const MAX_OVERDUE_MS = 30_000;

/**
 * Starts the service: resolves when all listeners are bound and what an earlier process journaled is taken up.
 * Rejects with the system's error when an address cannot be had, and with the signal's reason when that aborts first;
 * nothing is left open then, and what the journal holds stays for the next start.
 */
export async function startAnalyzer(config: AnalyzerConfig, signal?: AbortSignal): Promise<RunningAnalyzer> {
  const { contracts, logger, stdout, verdictEndpoint } = config;
  const now = createClock();
  let phase: Phase = 'starting';
  const metrics = createMetricsSink({
    contracts,
    maxLabelValues: config.maxLabelValues,
    version: ANALYZER_VERSION,
    levels: () => ({ journal: journal.levels(), state: pipeline.sizes() }),
  });
  // Before the journal is opened, which would have to be closed again where credentials cannot be read.
  const guards = createGuards(config, metrics.reloaded, logger);
  const journal = await openJournal(config, now).catch((error: unknown) => {
    guards.close();
    throw error;
  });
  const lines =
    stdout === undefined
      ? undefined
      : createLineSink({
          stream: stdout,
          logger,
          record: (outcome, count) => metrics.events('stdout', outcome, count),
        });
  const events =
    verdictEndpoint === undefined
      ? undefined
      : createEventSink({
          endpoint: verdictEndpoint,
          version: ANALYZER_VERSION,
          contractDigest: contracts?.digest,
          maxQueued: config.maxQueuedEvents,
          logger,
          record: (outcome, count) => metrics.events('otlp', outcome, count),
        });
  const fault = (error: unknown): void => logger.error({ err: error }, 'a fault of the analyzer; it goes on');
  const overLimit = createOverLimitNotice(logger, now);
  const pipeline = createPipeline({
    contracts,
    thresholds: config.thresholds,
    limits: { ...config, maxOverdueMs: MAX_OVERDUE_MS },
    now,
    journal,
    repetitions: await createRepetitions(config.maxDedupe),
    metrics,
    events,
    lines,
    fault,
    overLimit,
  });
  const pump = createPump(pipeline, pipeline.now, fault);
  const intake = createIntake({
    config,
    guard: guards.ingest,
    logger,
    async accept(batch, meta) {
      const outcome = await pipeline.accept(batch, meta);
      pump.wake();
      return outcome;
    },
    observe: createReceiveObserver(metrics, logger, now),
  });
  const admin = createAdminServer({ scrape: metrics.scrape, phase: () => phase, guard: guards.admin });

  const listenAdmin = () =>
    admin.listen(config.admin).catch((error: unknown) => {
      throw listenError(error, config.admin, 'admin');
    });

  let bound;
  try {
    bound = { admin: await listenAdmin(), ...(await intake.listen()) };
    await pipeline.restore(signal);
  } catch (error) {
    guards.close();
    await Promise.allSettled([admin.close(), intake.close(0)]);
    await Promise.allSettled([journal.close(), events?.shutdown(0)]);
    throw error;
  }
  pump.wake();
  phase = 'ready';
  logger.info({ ...bound, durability: journal.durability, contracts: config.contractsName ?? null }, 'ready');
  warnOfOpenIntake(guards.ingest, { otlpHttp: bound.otlpHttp, otlpGrpc: bound.otlpGrpc }, logger);

  async function stop(): Promise<StopReport> {
    phase = 'stopping';
    const end = now() + config.stopTimeoutMs;
    await intake.stopIntake(config.stopTimeoutMs * INTAKE_SHARE);
    pipeline.refuse();
    await pipeline.settled();
    pump.stop();
    const { graded, undecided, journaled } = pipeline.drain();
    const leftMs = Math.max(0, end - now());
    const [linesLeft = 0, eventsLeft = 0] = await Promise.all([lines?.flush(leftMs), events?.shutdown(leftMs)]);
    const graceMs = Math.min(GRACE_MS, config.stopTimeoutMs);
    guards.close();
    await Promise.allSettled([journal.close(), intake.close(graceMs), admin.close()]);
    const report = stopReport(graded, undecided, journaled, { lines: linesLeft, events: eventsLeft });
    if (journaled > 0) logger.info(report, 'stopped; the next start takes up what waits in the journal');
    else if (undecided.length === 0) logger.info(report, 'stopped');
    else logger.warn(report, 'stopped; with durability=none nothing will take up what is left without a verdict');
    return report;
  }

  let stopped: Promise<StopReport> | undefined;
  return { ...bound, durability: journal.durability, reload: guards.reload, stop: () => (stopped ??= stop()) };
}
