import { pino } from 'pino';
import { afterEach } from 'vitest';
import { createOtlpHttpReceiver } from '../src/receive/http.js';
import type { OtlpHttpReceiverOptions } from '../src/receive/http.js';
import type { Receiver } from '../src/receive/receiver.js';
import { createReceiveObserver } from '../src/runtime/receive-observer.js';
import { setUp } from './pipeline.js';
import { createUnsteadyJournal } from './unsteady-journal.js';

const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close(0);
});

/** The receiver, the pipeline and its metrics as the service joins them, with a journal that does what a test says. */
export async function startService(options: Partial<OtlpHttpReceiverOptions> = {}) {
  const journal = createUnsteadyJournal();
  const { pipeline, metrics, clock } = await setUp(100_000, journal);
  const receiver = createOtlpHttpReceiver({
    host: '127.0.0.1',
    port: 0,
    accept: pipeline.accept,
    observe: createReceiveObserver(metrics, pino({ level: 'silent' }), clock.now),
    ...options,
  });
  receivers.push(receiver);
  const { port } = await receiver.listen();

  /** The values of one counter by one of its labels; what is 0 is left out. */
  async function counted(metric: string, label: string): Promise<Record<string, number>> {
    const { body } = await metrics.scrape('text');
    const found: Record<string, number> = {};
    for (const [, labels = '', value] of body.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? (\\d+)$`, 'gm'))) {
      const key = new RegExp(`${label}="([^"]*)"`).exec(labels)?.[1] ?? '';
      if (Number(value) > 0) found[key] = (found[key] ?? 0) + Number(value);
    }
    return found;
  }

  return {
    port,
    journal,
    pipeline,
    clock,
    spans: () => counted('seamtrace_analyzer_spans_total', 'outcome'),
    requests: () => counted('seamtrace_analyzer_requests_total', 'code'),
    malformed: () => counted('seamtrace_analyzer_malformed_total', 'kind'),
  };
}
