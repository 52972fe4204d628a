import { parseContracts } from '@seamtrace/contracts';
import { DEFAULT_THRESHOLDS, decodeTracesProtobuf } from '@seamtrace/core';
import { encodeProtobuf, handoffSpan, manualClock, traceRequest } from '@seamtrace/testkit';
import type { HandoffSpanModel, ManualClock, SpanModel } from '@seamtrace/testkit';
import type { Journal } from '../src/journal/journal.js';
import { createMemoryJournal } from '../src/journal/memory.js';
import { createRepetitions } from '../src/repetitions.js';
import { createPipeline } from '../src/pipeline.js';
import { createMetricsSink } from '../src/sinks/metrics/sink.js';

const parsed = parseContracts(
  `
version: 1
agents: { triage: {}, billing: { aliases: [billing_agent] } }
routes:
  triage_to_billing:
    from: triage
    to: billing
    current: "2"
    deadline_s: 60
    versions: { "2": { required: [customer_id, invoice_id] } }
    owners: { packaging_loss: team-triage, ingestion_loss: team-billing }
`,
  'test.yaml',
);
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
export const { contracts } = parsed;
export const META = { transport: 'http', encoding: 'protobuf', wireBytes: 1, bodyBytes: 1 } as const;
export const KEYS = ['customer_id', 'invoice_id'];

export async function setUp(
  maxPending = 100,
  journal: Journal = createMemoryJournal(),
  restored = true,
  clock: ManualClock = manualClock(),
) {
  const written: Record<string, unknown>[] = [];
  const faults: unknown[] = [];
  const overLimit: unknown[] = [];
  const metrics = createMetricsSink({
    contracts,
    maxLabelValues: 10,
    version: '0.0.0',
    levels: () => ({ journal: journal.levels(), state: pipeline.sizes() }),
  });
  const lines = {
    write(line: string, settled: () => void) {
      written.push(JSON.parse(line) as Record<string, unknown>);
      settled();
    },
    congested: false,
    flush: () => Promise.resolve(0),
  };
  const pipeline = createPipeline({
    contracts,
    thresholds: DEFAULT_THRESHOLDS,
    limits: {
      settleMs: 5_000,
      deadlineMs: 600_000,
      retentionMs: 3_600_000,
      taskSilenceMs: 3_600_000,
      maxPending,
      maxStateBytes: 2 ** 30,
      maxOverdueMs: 30_000,
    },
    now: clock.now,
    journal,
    repetitions: await createRepetitions(1000),
    metrics,
    events: undefined,
    lines,
    fault: (error) => faults.push(error),
    overLimit: (handoffId, maxAttempts) => overLimit.push([handoffId, maxAttempts]),
  });
  if (restored) await pipeline.restore();
  async function send(...spans: SpanModel[]) {
    const decoded = decodeTracesProtobuf(encodeProtobuf(traceRequest(spans)));
    if (!decoded.ok) throw new Error(decoded.message);
    return pipeline.accept(decoded, META);
  }
  async function series(prefix: string): Promise<string[]> {
    const { body } = await metrics.scrape('text');
    return body.split('\n').filter((line) => line.startsWith(prefix));
  }
  return { clock, journal, metrics, pipeline, lines, written, faults, overLimit, send, series };
}

export const base = { route: 'triage_to_billing', source: 'triage', target: 'billing', contractVersion: '2' } as const;

export function dispatch(handoffId: string, more: Partial<HandoffSpanModel> = {}): SpanModel {
  return handoffSpan({ role: 'dispatch', handoffId, ...base, sourceStage: KEYS, payloadStage: KEYS, ...more });
}

export function destination(handoffId: string, more: Partial<HandoffSpanModel> = {}): SpanModel {
  const span = { role: 'destination', handoffId, ...base, destination: 'billing', destinationStage: KEYS } as const;
  return handoffSpan({ ...span, ...more });
}
