import { spawnSync } from 'node:child_process';
import { setTimeout as rest } from 'node:timers/promises';
import { collectorBinary } from '../integration/collector/build.mjs';
import { httpLoad } from './load.mjs';
import { leaveCoreToServices, pinning, scrape, startAnalyzer, startCollector, unmeasurable } from './processes.mjs';
import { measureServices } from './services.mjs';
import { HANDOFFS_PER_REQUEST, record, SPANS_PER_REQUEST } from './traffic.mjs';

export const name = 'service';

const PROTOBUF = { 'content-type': 'application/x-protobuf' };
/** Handoffs are graded 5 s after they are whole: their grading is part of the cost. */
const REST_MS = 6_500;
/** As often as a Prometheus with its defaults would look. */
const FLUSH = '15s';
const FLUSH_MS = 15_000;

/**
 * The whole service against the collector on the same recorded traffic: OTLP over HTTP in, for the analyzer verdicts and
 * metrics out, for the collector the metrics of a connector, scraped from its prometheus exporter.
 */
export async function run() {
  const what = 'spans per CPU second, whole service, HTTP protobuf';
  const target = '≥ 3 × a collector with a connector';
  const skip = (reason) => ({ rows: [], skipped: [reason], targets: [{ what, target, measured: undefined }] });
  if (unmeasurable !== undefined) return skip(unmeasurable);
  const collector = collectorBinary();
  if (!collector.ok) return skip(collector.message);

  const undo = leaveCoreToServices();
  const others = [];
  const analyzers = [];
  try {
    for (const durability of ['none', 'process']) {
      analyzers.push({ durability, service: await startAnalyzer({ args: ['--durability', durability] }) });
    }
    for (const connector of connectorsOf(collector.file)) {
      const settings = { metrics_flush_interval: FLUSH };
      others.push({ connector, service: await startCollector(collector.file, connector, settings) });
    }
    const { protobuf: recorded } = record();
    const cases = [
      ...others.map(({ connector, service }) => [`collector, ${connector} connector`, service]),
      ...analyzers.map(({ durability, service }) => [`seamtrace serve, durability ${durability}`, service]),
    ];
    const loads = cases.map(([, service]) => httpLoad(service.traces, PROTOBUF));
    const { rows, requests } = await measureServices(
      cases.map(([name, service], at) => ({ name, service, load: loads[at], recorded })),
      { rounds: 5, requests: 250, restMs: REST_MS, warmUp: 1_000 },
    );
    loads.forEach(({ close }) => close());
    for (const { service } of analyzers) await check(service, requests.get(service));
    for (const { connector, service } of others) await checkCollector(connector, service, requests.get(service));
    // The default is the durable one; the collector keeps nothing.
    const { ratio, lowest, highest } = rows.at(-1);
    const range = `${ratio.toFixed(2)} × (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
    const measured = `${range}, memory-only ${rows.at(-2).ratio.toFixed(2)} ×, against ${others[0].connector}`;
    return { rows, notes: [pinning], targets: [{ what, target, measured, met: ratio >= 3 }] };
  } finally {
    await Promise.all([...analyzers, ...others].map(({ service }) => service.stop()));
    undo();
  }
}

/** Of the connectors that make metrics of traces, those that this collector has: the one from Go modules has span_metrics. */
function connectorsOf(binary) {
  const { stdout } = spawnSync(binary, ['components'], { encoding: 'utf8' });
  const found = ['service_?graph', 'span_?metrics'].flatMap(
    (connector) => new RegExp(`name: (${connector})$`, 'm').exec(stdout)?.[1] ?? [],
  );
  if (found.length === 0) throw new Error(`${binary} has neither a servicegraph nor a spanmetrics connector`);
  return found;
}

// A service that drops what it gets is fast. Every handoff that was whole must have its verdict, and the right one.
async function check({ metrics, said }, requests) {
  await rest(REST_MS);
  const all = await scrape(metrics, 'seamtrace_handoffs_total');
  const lost = await scrape(metrics, 'seamtrace_handoffs_total', /verdict="packaging_loss"/);
  const received = await scrape(metrics, 'seamtrace_analyzer_spans_total');
  const expected = requests * HANDOFFS_PER_REQUEST - HANDOFFS_PER_REQUEST / 2;
  if (all === expected && lost === requests && received === requests * SPANS_PER_REQUEST) return;
  throw new Error(
    `the analyzer received ${received} of ${requests * SPANS_PER_REQUEST} spans, gave ${all} of ${expected} verdicts, and ${lost} of ${requests} packaging losses; it said:\n${said()}`,
  );
}

async function checkCollector(connector, { metrics, said }, requests) {
  if (!connector.startsWith('span')) return;
  let seen = 0;
  for (let waited = 0; waited < 2 * FLUSH_MS; waited += 1_000) {
    seen = await scrape(metrics, 'traces_span_metrics_calls_total');
    if (seen === requests * SPANS_PER_REQUEST) return;
    await rest(1_000);
  }
  throw new Error(`the collector counted ${seen} of ${requests * SPANS_PER_REQUEST} spans; it said:\n${said()}`);
}
