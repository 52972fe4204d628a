import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { encodeProtobuf, handoffSpan, traceRequest } from '@seamtrace/testkit';
import { afterEach, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { liveAt, metricSum, type Life, type Place, type ServedVerdict } from './analyzer.js';
import { collectorBinary } from './build.mjs';
import {
  type CollectorConfig,
  type CollectorProcess,
  freePorts,
  NO_TELEMETRY,
  otlpReceiver,
  startCollectorProcess,
} from './collector.js';

const built = collectorBinary();
const inCi = process.env['CI'] === 'true';
const contracts = fileURLToPath(new URL('./seamtrace.contracts.yaml', import.meta.url));
const keys = ['customer_id', 'invoice_id'];

/** A batch stays under this, two of them fit in flight, and ten consumers send at once. */
const SMALL_BODY_BYTES = 64 * 1024;
const SPANS_PER_BATCH = 40;

type Exporter = 'otlphttp' | 'otlp';

/** Retry and queue as in otel-collector-config.yaml, with waits that a test can wait for. */
function collectorFor(exporter: Exporter, ports: { http: number; grpc: number }, place: Place): CollectorConfig {
  const endpoint =
    exporter === 'otlp'
      ? { endpoint: `127.0.0.1:${place.grpc}`, tls: { insecure: true } }
      : { endpoint: `http://127.0.0.1:${place.http}` };
  return {
    receivers: { otlp: otlpReceiver(ports) },
    processors: { batch: { timeout: '50ms', send_batch_size: SPANS_PER_BATCH, send_batch_max_size: SPANS_PER_BATCH } },
    exporters: {
      [exporter]: {
        ...endpoint,
        compression: 'gzip',
        timeout: '5s',
        retry_on_failure: { enabled: true, initial_interval: '200ms', max_interval: '2s', max_elapsed_time: '10m' },
        sending_queue: { enabled: true, num_consumers: 10, queue_size: 10_000 },
      },
    },
    service: {
      ...NO_TELEMETRY,
      pipelines: { traces: { receivers: ['otlp'], processors: ['batch'], exporters: [exporter] } },
    },
  };
}

describe.skipIf(!built.ok && !inCi)('a collector with queue and retry before the analyzer', () => {
  let place: Place;
  let collector: CollectorProcess;
  let life: Life | undefined;
  let ports: { http: number; grpc: number };
  const sent = new Map<string, 'passed' | 'packaging_loss'>();
  const seen = new Map<string, ServedVerdict[]>();

  const take = (line: ServedVerdict): void => {
    const before = seen.get(line.handoff_id) ?? [];
    seen.set(line.handoff_id, [...before, line]);
  };
  const live = async (env: Record<string, string> = {}): Promise<void> => {
    life = await liveAt(place, { SEAMTRACE_SETTLE_S: '0.5', ...env }, take);
  };
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    await life?.end(signal);
    life = undefined;
  };
  const verdictsFor = async (count: number): Promise<void> => {
    while (seen.size < count) await sleep(50);
  };

  /** The dispatch in one request, the run in another: a stop between them must cost neither. */
  async function handOver(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const handoffId = `h-${sent.size}`;
      const lossy = sent.size % 10 === 9;
      sent.set(handoffId, lossy ? 'packaging_loss' : 'passed');
      const common = { handoffId, route: 'triage_to_billing', source: 'triage', target: 'billing', task: handoffId };
      const payloadStage = lossy ? keys.slice(0, 1) : keys;
      await post(handoffSpan({ ...common, role: 'dispatch', sourceStage: keys, payloadStage, contractVersion: '1' }));
      await post(
        handoffSpan({ ...common, role: 'destination', destination: 'billing', destinationStage: payloadStage }),
      );
    }
  }

  async function post(span: ReturnType<typeof handoffSpan>): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${ports.http}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: encodeProtobuf(traceRequest([span])),
    });
    expect(response.status, 'the collector takes what it is sent').toBe(200);
  }

  async function begin(exporter: Exporter): Promise<void> {
    const [http, grpc, ownHttp, ownGrpc, admin] = (await freePorts(5)) as [number, number, number, number, number];
    ports = { http, grpc };
    const data = mkdtempSync(path.join(tmpdir(), 'seamtrace-outage-'));
    place = { http: ownHttp, grpc: ownGrpc, admin, data, contracts };
    collector = await startCollectorProcess(built.ok ? built.file : '', [collectorFor(exporter, ports, place)]);
  }

  beforeEach(() => {
    sent.clear();
    seen.clear();
  });
  afterEach(async () => {
    if (!built.ok) return;
    await end('SIGTERM');
    await collector.stop();
    rmSync(place.data, { recursive: true });
  });

  it.skipIf(!built.ok).each<Exporter>(['otlphttp', 'otlp'])(
    'loses nothing over %s when the analyzer is away, killed, stopped and overloaded',
    async (exporter) => {
      await begin(exporter);
      onTestFailed(() => {
        const missing = [...sent.keys()].filter((id) => !seen.has(id));
        console.error(
          `${sent.size} handoffs sent, without a verdict: ${missing.length}, such as ${missing.slice(0, 5)}`,
        );
        console.error(collector.said().slice(-5_000));
      });

      // Away from the start: the collector queues.
      await handOver(60);
      await live();
      await verdictsFor(60);

      // Killed in the middle of it, with dispatches whose runs come after its death.
      const flow = handOver(300);
      await verdictsFor(100);
      await end('SIGKILL');
      await live();
      await verdictsFor(180);
      await end('SIGTERM');
      await flow;

      // Back with room for two batches at a time, to a queue that is full of them.
      await handOver(300);
      await live({ SEAMTRACE_MAX_BODY_BYTES: String(SMALL_BODY_BYTES) });
      const refused =
        exporter === 'otlp'
          ? /^seamtrace_analyzer_requests_total\{.*"UNAVAILABLE"/
          : /^seamtrace_analyzer_requests_total\{.*"503"/;
      // Many at once, or each batch finds the room that the one before has left.
      while ((await metricSum(place, refused)) === 0) {
        await Promise.all(Array.from({ length: 40 }, () => handOver(10)));
      }
      await verdictsFor(sent.size);

      const transport = exporter === 'otlp' ? 'grpc' : 'http';
      expect(
        await metricSum(place, new RegExp(`^seamtrace_analyzer_requests_total\\{.*transport="${transport}"`)),
      ).toBeGreaterThan(0);
      expect(collector.said()).not.toMatch(/dropping data|Exporting failed\. Dropping/i);
      expect(new Map([...seen].map(([id, lines]) => [id, lines[0]?.verdict]))).toEqual(sent);
      // Delivery is at least once: what comes twice is the same verdict.
      const ids = [...seen.values()].map((lines) => new Set(lines.map((line) => line.verdict_id)).size);
      expect(ids.filter((count) => count !== 1)).toEqual([]);
    },
  );
});
