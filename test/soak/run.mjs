// npm run soak [-- --seconds N] [-- --seed N]: mutated requests against a real analyzer for a while. It fails on a crash,
// a hang, an answer that is the service's own fault, or memory that keeps growing. The seed is printed: it repeats a run.
import { PassThrough } from 'node:stream';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { resolveAnalyzerConfig, startAnalyzer } from '@seamtrace/analyzer';
import { encodeJson, encodeProtobuf, handoffSpan, traceRequest } from '@seamtrace/testkit';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const seconds = Number(values.seconds);
let state = Number(values.seed) >>> 0;
const MAX_REQUESTS = 2_000_000;
const IN_FLIGHT = 8;
/** Refusals that a client earns; anything else of 500 and above is the service's fault. */
const EARNED = new Set([200, 400, 404, 405, 408, 413, 415, 503]);

/** mulberry32: small, seeded, good enough to choose mutations. */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const below = (limit) => Math.floor(random() * limit);

function request() {
  const keys = ['customer_id', 'invoice_id', 'locale'].filter(() => random() < 0.8);
  const shared = {
    handoffId: `h-${below(5_000)}-${below(20)}`,
    attempt: 1 + below(3),
    source: 'triage',
    target: 'billing',
    requiredKeys: ['customer_id', 'invoice_id'],
    sourceStage: keys,
    payloadStage: keys,
  };
  const spans = Array.from({ length: 1 + below(20) }, () =>
    random() < 0.5
      ? handoffSpan({ ...shared, role: 'dispatch' })
      : handoffSpan({ ...shared, role: 'destination', destination: 'billing', destinationStage: keys }),
  );
  const model = traceRequest(spans);
  return random() < 0.5
    ? { type: 'application/x-protobuf', body: Buffer.from(encodeProtobuf(model)) }
    : { type: 'application/json', body: Buffer.from(encodeJson(model)) };
}

const MUTATIONS = [
  (body) => body,
  (body) => body.subarray(0, below(body.length)),
  (body) => Buffer.concat([body, body]),
  (body) => Buffer.concat([body.subarray(0, below(body.length)), Buffer.from([below(256), below(256)]), body]),
  (body) => {
    const copy = Buffer.from(body);
    for (let flips = 1 + below(8); flips > 0; flips -= 1) copy[below(copy.length)] = below(256);
    return copy;
  },
];

async function send(url) {
  const { type, body } = request();
  const mutated = MUTATIONS[below(MUTATIONS.length)](body);
  const gzip = random() < 0.3;
  const sent = gzip ? gzipSync(mutated) : mutated;
  const damaged = gzip && random() < 0.2 ? sent.subarray(0, below(sent.length)) : sent;
  const response = await fetch(url, {
    method: random() < 0.01 ? 'PUT' : 'POST',
    headers: { 'content-type': random() < 0.01 ? 'text/plain' : type, ...(gzip ? { 'content-encoding': 'gzip' } : {}) },
    body: damaged,
    signal: AbortSignal.timeout(20_000),
  });
  await response.arrayBuffer();
  if (!EARNED.has(response.status)) throw new Error(`answered ${response.status} to a mutated ${type} request`);
  return response.status;
}

const stdout = new PassThrough();
stdout.resume();
const config = resolveAnalyzerConfig({
  otlpHttp: { host: '127.0.0.1', port: 0 },
  admin: { host: '127.0.0.1', port: 0 },
  settleMs: 200,
  retentionMs: 2_000,
  maxPending: 20_000,
  stdout,
});
if (!config.ok) throw new Error(JSON.stringify(config.problems));
const analyzer = await startAnalyzer(config.config);
const url = `http://127.0.0.1:${analyzer.otlpHttp.port}/v1/traces`;
console.log(`soak: ${seconds} s, seed ${values.seed}, ${url}`);

const answers = new Map();
const until = Date.now() + seconds * 1000;
let sent = 0;
let warm;
async function worker() {
  while (Date.now() < until && sent < MAX_REQUESTS) {
    sent += 1;
    const status = await send(url);
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (warm === undefined && Date.now() > until - seconds * 600) warm = process.memoryUsage().rss;
  }
}
await Promise.all(Array.from({ length: IN_FLIGHT }, worker));

const health = await fetch(`http://127.0.0.1:${analyzer.admin.port}/healthz`);
const report = await analyzer.stop();
const grown = process.memoryUsage().rss - (warm ?? process.memoryUsage().rss);
console.log(`soak: ${sent} requests; answers ${JSON.stringify(Object.fromEntries([...answers].sort()))}`);
console.log(`soak: graded at the stop ${report.graded}; memory after warm-up ${(grown / 2 ** 20).toFixed(1)} MiB more`);
if (!health.ok) throw new Error(`/healthz answered ${health.status} after the soak`);
if (!answers.has(200) || !answers.has(400)) throw new Error('the soak reached neither acceptance nor refusal');
if (grown > 256 * 2 ** 20) throw new Error('memory grew by more than 256 MiB after warm-up');
