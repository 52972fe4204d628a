import { agreed } from '../../evidence/distinct.js';
import { foldName } from '../../evidence/fold-name.js';
import { compareNanos } from '../../evidence/spans.js';
import type { Evidence } from '../../evidence/types.js';
import { byCodeUnit } from '../../evidence/distinct.js';
import type { ForeignTrace } from './trace.js';

/** What tells one trace from another that another instrumentation made of the same run. */
export interface Summary {
  readonly traceId: string;
  readonly dialects: ReadonlySet<string>;
  readonly start: bigint;
  readonly end: bigint;
  /** The executed handoffs by time. */
  readonly handoffs: string;
  /** Calls of which the arguments are known: the more, the more a trace tells. */
  readonly known: number;
}

/** `undefined` for a trace without an executed handoff, which counts for nothing that could be counted twice. */
export function summaryOf(traceId: string, trace: ForeignTrace, evidence: readonly Evidence[]): Summary | undefined {
  const taken = evidence
    .flatMap(({ handoff }) => (handoff?.runSpan === undefined ? [] : [{ handoff, at: handoff.runSpan.startUnixNano }]))
    .sort((a, b) => compareNanos(a.at, b.at) || byCodeUnit(a.handoff.handoffId, b.handoff.handoffId))
    .map(({ handoff: { facts } }) =>
      [agreed(facts.source), agreed(facts.destination)].map((name) => foldName(name ?? '')),
    );
  if (taken.length === 0) return undefined;
  const dialects = new Set<string>();
  let start: string | undefined;
  let end = '0';
  for (const { sign, ...row } of trace.signs.values()) {
    if (sign.dialect !== undefined) dialects.add(sign.dialect);
    if (start === undefined || compareNanos(row.start, start) < 0) start = row.start;
    if (compareNanos(row.end, end) > 0) end = row.end;
  }
  const known = evidence.filter(({ tool }) => tool?.argumentsDigest !== undefined).length;
  return { traceId, dialects, start: BigInt(start ?? 0), end: BigInt(end), handoffs: JSON.stringify(taken), known };
}

/** The same handoffs in the same order, at the same time, under dialects that have none in common. */
export function areTwins(a: Summary, b: Summary): boolean {
  if (a.traceId === b.traceId || a.handoffs !== b.handoffs) return false;
  if ([...a.dialects].some((dialect) => b.dialects.has(dialect))) return false;
  const start = a.start > b.start ? a.start : b.start;
  const end = a.end < b.end ? a.end : b.end;
  const [long, short] = [a.end - a.start, b.end - b.start].sort((x, y) => (x < y ? 1 : -1)) as [bigint, bigint];
  // Both from the first agent's beginning to the last one's end, but for what each adds of its own.
  return end > start && 10n * (end - start) >= 9n * short && 2n * short >= long;
}

/** Which of two twins is told of: the one that knows more, else the same one always. */
export function isPreferred(a: Summary, b: Summary): boolean {
  if (a.known !== b.known) return a.known > b.known;
  const order = byCodeUnit([...a.dialects].sort().join(), [...b.dialects].sort().join());
  return (order || byCodeUnit(a.traceId, b.traceId)) < 0;
}

/** Of each pair of twins the one that is not preferred. Every trace stands for one other at most. */
export function repeated(summaries: readonly Summary[]): ReadonlySet<string> {
  const groups = new Map<string, Summary[]>();
  for (const summary of summaries) {
    const group = groups.get(summary.handoffs);
    if (group === undefined) groups.set(summary.handoffs, [summary]);
    else group.push(summary);
  }
  const left = new Set<string>();
  for (const group of groups.values()) {
    if (new Set(group.map(({ dialects }) => [...dialects].sort().join())).size < 2) continue;
    group.sort((a, b) => (isPreferred(a, b) ? -1 : 1));
    const stands = new Set<string>();
    for (const [at, summary] of group.entries()) {
      if (left.has(summary.traceId)) continue;
      const started = distance(summary);
      const twins = group.slice(at + 1).filter((other) => !left.has(other.traceId) && areTwins(summary, other));
      // Of several runs at once the twin is the one that began closest.
      for (const twin of twins.sort((a, b) => started(a) - started(b) || byCodeUnit(a.traceId, b.traceId))) {
        const kind = `${summary.traceId}/${[...twin.dialects].sort().join()}`;
        if (stands.has(kind)) continue;
        stands.add(kind);
        left.add(twin.traceId);
      }
    }
  }
  return left;
}

function distance(summary: Summary): (other: Summary) => number {
  return ({ start }) => Math.abs(Number(start - summary.start));
}
