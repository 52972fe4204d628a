import type { RecordedSpan } from '@seamtrace/testkit';
import { type AppOptions, type AppResult, runApp } from '../run-app.js';

/** Both keys are required, so that taking one away at the handoff is a loss. */
export const CONTRACTS = {
  agents: { triage: {}, billing: {} },
  routes: { to_billing: { from: 'triage', to: 'billing', version: '1', required: ['customer_id', 'invoice_id'] } },
};

/** Our spans of one run of an application: two handoffs. */
export const OURS = ['handoff billing', 'invoke_agent billing', 'invoke_agent triage'].flatMap((name) => [name, name]);
export const VERDICTS = ['packaging_loss', 'passed'];

/** What one of the applications of this folder did. */
export interface Outcome extends AppResult {
  /** The line that it printed. */
  readonly printed: {
    readonly before: readonly string[];
    readonly answer: readonly string[];
    readonly seen: readonly string[];
  };
  readonly ours: readonly string[];
  /** The application's own spans, without what differs from run to run. */
  readonly theirs: readonly object[];
  readonly verdicts: readonly string[];
}

export async function outcomeOf(options: Omit<AppOptions, 'contracts'>): Promise<Outcome> {
  const result = await runApp({ contracts: CONTRACTS, ...options });
  if (result.code !== 0) throw new Error(`exit ${result.code}: ${result.stderr}`);
  const mine = ({ scope }: RecordedSpan): boolean => scope.name === '@seamtrace/instrumentation';
  return {
    ...result,
    printed: JSON.parse(result.stdout) as Outcome['printed'],
    ours: result.spans
      .filter(mine)
      .map(({ name }) => name)
      .sort(),
    theirs: result.spans
      .filter((span) => !mine(span))
      .map((span) => withoutNoise(span, result.spans))
      .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    verdicts: result.grades.map(({ verdict }) => verdict).sort(),
  };
}

/** Ids, times, ports and process ids differ from run to run. */
function withoutNoise(span: RecordedSpan, all: readonly RecordedSpan[]): object {
  const parent = all.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId);
  const plain = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)).replace(
      /127\.0\.0\.1:\d+/g,
      'loopback',
    );
  return {
    name: span.name,
    kind: span.kind,
    status: span.statusCode,
    parent: parent?.name ?? '',
    scope: span.scope,
    attributes: plain([...span.attributes]),
    events: plain(span.events.map(({ name, attributes }) => [name, [...attributes]])),
    resource: plain([...span.resource.keys()].sort()),
  };
}
