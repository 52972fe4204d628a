import type { Contracts } from '@seamtrace/contracts';
import {
  type Due,
  type Finding,
  type HandoffRecord,
  TASK_FINDINGS,
  fact,
  keyArrivalOf,
  numericFact,
  payloadBytes,
} from '@seamtrace/core';
import {
  METRIC_SEAMTRACE_ENVELOPE_SIZE,
  METRIC_SEAMTRACE_FINDINGS,
  METRIC_SEAMTRACE_HANDOFFS,
  METRIC_SEAMTRACE_HANDOFF_LATENCY,
  METRIC_SEAMTRACE_HANDOFF_LATENCY_UNMEASURABLE,
  METRIC_SEAMTRACE_INGESTS,
  METRIC_SEAMTRACE_INGEST_DURATION,
  METRIC_SEAMTRACE_INGEST_VALIDATION_FAILURES,
  METRIC_SEAMTRACE_MISSING_KEYS,
  METRIC_SEAMTRACE_REQUIRED_KEYS,
  METRIC_SEAMTRACE_REQUIRED_KEYS_ARRIVED,
  METRIC_SEAMTRACE_VERDICT_REVISIONS,
} from '@seamtrace/semconv';
import { exemplarOf } from './exemplar.js';
import type { Exemplar, Instruments } from './instruments.js';
import { UNDECLARED, UNKNOWN } from './labels.js';
import { ingestDurationOf, latencyOf } from './latency.js';
import { fieldOf } from '../field.js';

const MAX_NAMED_HOP = 9;

/** The label of a route: its name where the contract file declares it. */
export function routeLabel(route: string | null | undefined, contracts: Contracts | undefined): string {
  return contracts?.routes.get(route ?? '')?.name ?? UNDECLARED;
}

/**
 * Records a verdict. Counters take the first verdict of an attempt; a later one is a revision, so that a rate over any of
 * them counts handoffs and not spans that came late (wire contract, section 7). Findings that rest on the rest of the task
 * are counted when they are first made, since the first verdict mostly comes before what shows them.
 */
export function recordVerdict(instruments: Instruments, contracts: Contracts | undefined, due: Due): void {
  const { graded, record, previous } = due;
  const exemplar = exemplarOf(record);
  if (previous !== undefined) {
    const labels = { from: previous.graded.verdict, to: graded.verdict };
    instruments.add(METRIC_SEAMTRACE_VERDICT_REVISIONS, labels, 1, exemplar);
    const known = new Set(previous.graded.findings.map(({ id }) => id));
    const made = graded.findings.filter(({ id }) => TASK_FINDINGS.has(id) && !known.has(id));
    recordFindings(instruments, made, routeLabel(graded.route, contracts), exemplar);
    return;
  }
  const { verdict, boundary, evidence } = graded;
  const route = routeLabel(graded.route, contracts);
  const kind = fact(record, 'kind') ?? 'agent_to_agent';
  const contract_version = graded.contract_version ?? UNKNOWN;
  const handoff = { route, verdict, boundary, contract_version, evidence, kind };
  instruments.add(METRIC_SEAMTRACE_HANDOFFS, handoff, 1, exemplar);
  for (const key of graded.missing_keys) {
    instruments.add(METRIC_SEAMTRACE_MISSING_KEYS, { route, key, boundary }, 1, exemplar);
  }
  recordFindings(instruments, graded.findings, route, exemplar);
  recordArrival(instruments, contracts, record, route, boundary === 'identity');
  recordTimes(instruments, due, { route, kind }, exemplar);
  recordEnvelope(instruments, record, route, exemplar);
  recordIngest(instruments, record, { route, source: graded.source ?? UNKNOWN }, exemplar);
}

function recordFindings(
  instruments: Instruments,
  findings: readonly Finding[],
  route: string,
  exemplar: Exemplar,
): void {
  for (const { id } of findings) instruments.add(METRIC_SEAMTRACE_FINDINGS, { finding: id, route }, 1, exemplar);
}

function recordArrival(
  instruments: Instruments,
  contracts: Contracts | undefined,
  record: HandoffRecord,
  route: string,
  disputed: boolean,
): void {
  const context = { contracts, isInstrumented: () => true, tools: [], siblings: [] };
  const arrival = disputed ? undefined : keyArrivalOf(record, context);
  if (arrival === undefined) return;
  instruments.add(METRIC_SEAMTRACE_REQUIRED_KEYS, { route }, arrival.required);
  instruments.add(METRIC_SEAMTRACE_REQUIRED_KEYS_ARRIVED, { route }, arrival.arrived);
}

function recordTimes(
  instruments: Instruments,
  { record, siblings }: Due,
  { route, kind }: { readonly route: string; readonly kind: string },
  exemplar: Exemplar,
): void {
  const latency = latencyOf(record, siblings);
  if (latency !== undefined && 'seconds' in latency) {
    instruments.observe(METRIC_SEAMTRACE_HANDOFF_LATENCY, { route, kind }, latency.seconds, exemplar);
  } else if (latency !== undefined) {
    instruments.add(METRIC_SEAMTRACE_HANDOFF_LATENCY_UNMEASURABLE, { reason: latency.unmeasurable }, 1, exemplar);
  }
  const duration = ingestDurationOf(record);
  if (duration !== undefined) instruments.observe(METRIC_SEAMTRACE_INGEST_DURATION, { route }, duration, exemplar);
}

/** The sender's own size; what the destination measured stands in where the sender said none. Needs a hop to put it under. */
function recordEnvelope(instruments: Instruments, record: HandoffRecord, route: string, exemplar: Exemplar): void {
  const size = payloadBytes(record);
  const hop = hopLabel(numericFact(record, 'hopIndex'));
  if (size === undefined || hop === undefined) return;
  instruments.observe(METRIC_SEAMTRACE_ENVELOPE_SIZE, { route, hop }, size, exemplar);
}

/** `undefined` for what is no place on a path: the wire contract counts hops from 1 and has no label for another. */
function hopLabel(index: number | undefined): string | undefined {
  if (index === undefined || !Number.isInteger(index) || index < 1) return undefined;
  return index > MAX_NAMED_HOP ? `${MAX_NAMED_HOP + 1}+` : String(index);
}

function recordIngest(
  instruments: Instruments,
  record: HandoffRecord,
  { route, source }: { readonly route: string; readonly source: string },
  exemplar: Exemplar,
): void {
  const outcome = fact(record, 'ingestOutcome');
  if (outcome !== undefined) instruments.add(METRIC_SEAMTRACE_INGESTS, { route, source, outcome }, 1, exemplar);
  for (const violation of record.violations?.values ?? []) {
    const field = fieldOf(violation);
    instruments.add(METRIC_SEAMTRACE_INGEST_VALIDATION_FAILURES, { source, field }, 1, exemplar);
  }
}
