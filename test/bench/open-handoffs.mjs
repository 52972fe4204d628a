// A process of its own that holds so many open handoffs: two of three stages seen, the third still to come. The bench
// drives it by messages; what one batch costs is measured here, since nobody else knows where a batch ends.
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { createReassembler, extractEvidence, gradeRecord } from '@seamtrace/core';
import { decodedSpan, handoffSpan } from '@seamtrace/testkit';

const BATCH = 128;
const KEYS = ['customer_id', 'invoice_id', 'locale', 'order_total', 'plan'];
/** Whole ones that settle, and graded ones kept: the same number beside however many are open. */
const ROOM = 15_000;
/** Handoffs of one task. */
const PER_TASK = 4;

const hex = (number, digits) => (number >>> 0).toString(16).padStart(digits, '0');
const mix = (number) => Math.imul(number ^ (number >>> 15), 0x2c1b3c6d) ^ Math.imul(number, 0x297a2d39);
const uuid = (number) =>
  `0197a1b2-${hex(number, 8).slice(0, 4)}-7${hex(mix(number), 8).slice(0, 3)}-8${hex(mix(number + 1), 8).slice(1, 4)}-${hex(number, 12)}`;
const traceId = (number) => `${hex(mix(number), 8)}${hex(number, 8)}${hex(mix(number + 7), 16)}`;

const templates = {
  dispatch: template('dispatch', { sourceStage: KEYS, payloadStage: KEYS }),
  ingest: template('ingest', { destination: 'billing', destinationStage: KEYS }),
};

function template(role, stages) {
  const span = handoffSpan({
    role,
    handoffId: uuid(1),
    route: 'triage_to_billing',
    source: 'triage',
    target: 'billing',
    task: uuid(2),
    contractVersion: '2',
    requiredKeys: KEYS.slice(0, 3),
    permittedKeys: KEYS,
    ...stages,
    attributes: {
      'seamtrace.hop.path': ['triage', 'router', 'billing'],
      'seamtrace.hop.index': 2n,
      'seamtrace.hop.limit': 6n,
      'seamtrace.payload.size': 2310n,
      'seamtrace.goal.digest': `hmac-sha256:k1:${'0f'.repeat(32)}`,
    },
  });
  return extractEvidence(decodedSpan(span)).evidence;
}

/** The evidence of one handoff's dispatch or ingest, with ids and digests of its own. */
function pieceOf(role, number) {
  const { handoff, ...rest } = templates[role];
  const task = Math.floor(number / PER_TASK);
  const one = (value) => ({ values: [value], more: false });
  const trace = traceId(task);
  const spoken = role === 'dispatch' ? 'producer' : 'consumer';
  const ref = {
    ...(handoff.dispatchSpan ?? handoff.ingestSpan),
    traceId: trace,
    spanId: `${hex(number, 8)}${hex(mix(number), 8)}`,
  };
  return {
    ...rest,
    handoff: {
      ...handoff,
      handoffId: uuid(number),
      facts: {
        ...handoff.facts,
        task: one(uuid(task + 0x40000000)),
        goalDigest: one(`hmac-sha256:k1:${traceId(task)}${traceId(task + 1)}`),
      },
      sides: { ...handoff.sides, [spoken]: { ...handoff.sides[spoken], traceIds: one(trace) } },
      [role === 'dispatch' ? 'dispatchSpan' : 'ingestSpan']: ref,
    },
  };
}

function collectGarbage() {
  for (let times = 0; times < 3; times += 1) globalThis.gc();
}

let verdicts = 0;
const open = [];
let next = 0;
let now = 0;
let random = 1;
let reassembler;
let longestTurnMs = 0;
let lastTurn = 0;

/**
 * A turn of the event loop has ended. Time in which this thread was ready and others had the processor is left out: the
 * pauses of a loaded machine are not ours.
 */
function noteTurn() {
  const at = Number(process.hrtime.bigint()) / 1e6 - waitedMs();
  if (lastTurn !== 0) longestTurnMs = Math.max(longestTurnMs, at - lastTurn);
  lastTurn = at;
}

/** Linux tells how long a thread stood in the queue for a processor; elsewhere the pauses are as long as they seem. */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

function startTurns() {
  longestTurnMs = 0;
  lastTurn = 0;
}

async function fill(count) {
  reassembler = createReassembler({
    grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
    deadlineMs: () => 1e9,
    settleMs: 5_000,
    retentionMs: 3_600_000,
    maxRecords: count + ROOM,
  });
  // What the code itself needs is there before anything is counted.
  await offer(Array.from({ length: 2_000 }, (_, at) => pieceOf('dispatch', at)));
  reassembler = undefined;
  collectGarbage();
  await turn();
  const idle = process.memoryUsage().rss;
  reassembler = createReassembler({
    grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
    deadlineMs: () => 1e9,
    settleMs: 5_000,
    retentionMs: 3_600_000,
    maxRecords: count + ROOM,
  });
  startTurns();
  while (open.length < count) {
    const numbers = Array.from({ length: Math.min(BATCH, count - open.length) }, () => next++);
    open.push(...numbers);
    await offer(numbers.map((number) => pieceOf('dispatch', number)));
  }
  const pauseMs = longestTurnMs;
  collectGarbage();
  await turn();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const { pending, bytes } = reassembler.sizes();
  return { idle, rss, heapUsed, external, arrayBuffers, pending, bytes, pauseMs };
}

/** Processor time of the batch, garbage collection included. */
async function offer(pieces) {
  now += BATCH / 2;
  const start = process.cpuUsage();
  for (const piece of pieces) reassembler.offer(piece, now);
  while ((reassembler.next() ?? Infinity) <= now) verdicts += reassembler.popDue(now, BATCH).length;
  const { user, system } = process.cpuUsage(start);
  await turn();
  noteTurn();
  return (user + system) / 1000;
}

/** A new handoff for each that gets its last stage, anywhere among the open ones. */
async function churn(pieces) {
  startTurns();
  let cpuMs = 0;
  let offered = 0;
  while (offered < pieces) {
    const batch = [];
    for (let pair = 0; pair < BATCH / 2; pair += 1) {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      const place = Math.floor((random / 2 ** 32) * open.length);
      batch.push(pieceOf('ingest', open[place]), pieceOf('dispatch', next));
      open[place] = next++;
    }
    cpuMs += await offer(batch);
    offered += batch.length;
  }
  const pauseMs = longestTurnMs;
  return { offered, cpuMs, pauseMs, verdicts, ...reassembler.sizes() };
}

process.on('message', async ({ fill: count, churn: pieces, stop }) => {
  if (stop) process.disconnect();
  else process.send(count === undefined ? await churn(pieces) : await fill(count));
});
