import type { GradedHandoff } from '@seamtrace/core';
import type { ServedVerdict } from './analyzer-process.js';
import type { StateRefLog } from './state-refs.js';

type Expected = Pick<GradedHandoff, 'verdict' | 'boundary' | 'missing_keys' | 'reason' | 'destination' | 'owner'>;

// The only place that knows what the example app does wrong. Nothing else in the demo, the app or the analyzer may.
const EXPECTED: Readonly<Record<string, Expected>> = {
  triage_to_billing: {
    verdict: 'routing_mismatch',
    boundary: 'route',
    missing_keys: [],
    reason: null,
    destination: 'support',
    owner: 'team-routing',
  },
  triage_to_support: {
    verdict: 'upstream_context_missing',
    boundary: 'before_handoff',
    missing_keys: ['device_serial'],
    reason: null,
    destination: 'support',
    owner: 'team-intake',
  },
  support_to_billing: {
    verdict: 'packaging_loss',
    boundary: 'source_to_payload',
    missing_keys: ['invoice_id'],
    reason: null,
    destination: 'billing',
    owner: 'team-support',
  },
  billing_to_support: {
    verdict: 'ingestion_loss',
    boundary: 'payload_to_destination',
    missing_keys: ['account.entitlement'],
    reason: null,
    destination: 'support',
    owner: 'team-support',
  },
  billing_to_triage: {
    verdict: 'insufficient_evidence',
    boundary: 'source_capture',
    missing_keys: [],
    reason: 'redacted',
    destination: 'triage',
    owner: 'team-observability',
  },
  support_to_triage: {
    verdict: 'passed',
    boundary: 'none',
    missing_keys: [],
    reason: null,
    destination: 'triage',
    owner: null,
  },
};
const WRONG_RECORD = 'billing_to_support';

/**
 * Compares a run of the demo with what it must show: exactly the six verdicts, two different state records in the
 * wrong-record conversation, and the same counts in the metrics. Gives a line for each difference, none when all is so.
 */
export function findDifferences(
  verdicts: readonly ServedVerdict[],
  stateRefs: StateRefLog,
  metrics: string,
): readonly string[] {
  const differences: string[] = [];
  for (const [route, expected] of Object.entries(EXPECTED)) {
    const found = verdicts.filter((verdict) => verdict.route === route);
    if (found.length !== 1) differences.push(`${route}: expected one verdict, found ${found.length}`);
    for (const verdict of found) differences.push(...differencesOf(route, expected, verdict));
    const counted = handoffsCounted(metrics, route, expected);
    if (counted !== 1) {
      differences.push(`${route}: expected 1 ${expected.verdict} in seamtrace_handoffs_total, found ${counted}`);
    }
  }
  for (const { route, handoff_id } of verdicts) {
    if (route === null || !Object.hasOwn(EXPECTED, route)) {
      differences.push(`${handoff_id}: a verdict on ${route ?? 'an undeclared route'} was not expected`);
    }
  }
  return [...differences, ...recordDifferences(verdicts, stateRefs)];
}

function differencesOf(route: string, expected: Expected, found: Expected): string[] {
  return (Object.keys(expected) as (keyof Expected)[])
    .filter((field) => JSON.stringify(found[field]) !== JSON.stringify(expected[field]))
    .map(
      (field) =>
        `${route}: expected ${field} ${JSON.stringify(expected[field])}, found ${JSON.stringify(found[field])}`,
    );
}

function recordDifferences(verdicts: readonly ServedVerdict[], stateRefs: StateRefLog): string[] {
  const handoff = verdicts.find(({ route }) => route === WRONG_RECORD);
  const { source, destination } = handoff === undefined ? {} : stateRefs.of(handoff.handoff_id);
  if (source === undefined || destination === undefined) {
    return [
      `${WRONG_RECORD}: expected a state_ref digest at source and destination, found ${source} and ${destination}`,
    ];
  }
  return source === destination
    ? [`${WRONG_RECORD}: expected two different state_ref digests, found ${source} twice`]
    : [];
}

/** The value of `seamtrace_handoffs_total` summed over the series with these labels. */
function handoffsCounted(metrics: string, route: string, { verdict, boundary }: Expected): number {
  let sum = 0;
  for (const line of metrics.split('\n')) {
    const [, labels, value] = /^seamtrace_handoffs_total\{(.*)\} (\d+)/.exec(line) ?? [];
    const has = (name: string, wanted: string): boolean => labels?.split(',').includes(`${name}="${wanted}"`) === true;
    if (has('route', route) && has('verdict', verdict) && has('boundary', boundary)) sum += Number(value);
  }
  return sum;
}
