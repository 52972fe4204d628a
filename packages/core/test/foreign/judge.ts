import {
  type GradedHandoff,
  type TaskEnd,
  EVERY_TRACE,
  createAssembly,
  createLedger,
  decodeTracesJson,
  extractEvidence,
  gradeRecord,
  packOutline,
} from '../../src/index.js';
import type { Contracts } from '@seamtrace/contracts';

/** What a trace was found to show, in the words of the app. */
export interface Told {
  readonly executed: readonly string[];
  readonly asked: readonly string[];
  readonly redundant: readonly string[];
  readonly loop: boolean;
}

/** Grades requests as a file. */
export function gradeFile(requests: readonly string[], contracts?: Contracts): readonly GradedHandoff[] {
  const ledger = createLedger({ contracts });
  for (const text of requests) {
    const decoded = decodeTracesJson(text);
    if (!decoded.ok) throw new Error(decoded.message);
    for (const span of decoded.spans) {
      const extracted = extractEvidence(span);
      if (extracted.ok && extracted.evidence !== undefined) ledger.add(extracted.evidence);
    }
    const packed = decoded.outline === undefined ? undefined : packOutline(decoded.outline, EVERY_TRACE);
    if (packed !== undefined) ledger.addOutline(packed);
  }
  return ledger.grade();
}

/** Grades requests as they come in, a tenth of a second apart, and lets an hour of silence follow. */
export function gradeLive(requests: readonly string[]): { graded: readonly GradedHandoff[]; ends: readonly TaskEnd[] } {
  const assembly = createAssembly({
    grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
    deadlineMs: () => 600_000,
    settleMs: 5_000,
    retentionMs: 600_000,
    silenceMs: 3_600_000,
    maxRecords: 1_000,
    maxTasks: 1_000,
  });
  const latest = new Map<string, GradedHandoff>();
  const ends: TaskEnd[] = [];
  const take = ({ due, tasks }: ReturnType<typeof assembly.popDue>): void => {
    for (const { graded } of due) latest.set(graded.handoff_id, graded);
    ends.push(...tasks.flatMap((news) => news.ends));
  };
  let now = 1_000;
  for (const text of requests) {
    take(assembly.popDue(now));
    const decoded = decodeTracesJson(text);
    if (!decoded.ok) throw new Error(decoded.message);
    for (const span of decoded.spans) {
      const extracted = extractEvidence(span);
      if (extracted.ok && extracted.evidence !== undefined) assembly.offer(extracted.evidence, now);
    }
    const packed = decoded.outline === undefined ? undefined : packOutline(decoded.outline, assembly);
    if (packed !== undefined) assembly.offerOutline(packed, now);
    now += 100;
  }
  take(assembly.popDue(now + 7_200_000));
  return { graded: [...latest.values()].sort((a, b) => (a.handoff_id < b.handoff_id ? -1 : 1)), ends };
}

export function tell(graded: readonly GradedHandoff[]): Told {
  const told = graded.map(({ source, target, destination, findings }) => ({ source, target, destination, findings }));
  const redundant = told.flatMap(({ destination, findings }) =>
    findings
      .filter(({ id }) => id === 'redundant_work')
      .flatMap(({ detail }) => (detail['tools'] as string[]).map((tool) => `${destination} ${tool}`)),
  );
  return {
    executed: told
      .filter(({ destination }) => destination !== null)
      .map((one) => `${one.source} > ${one.destination}`)
      .sort(),
    asked: told
      .filter(({ destination }) => destination === null)
      .map((one) => `${one.source} > ${one.target}`)
      .sort(),
    redundant: redundant.sort(),
    loop: told.some(({ findings }) => findings.some(({ id }) => id === 'loop')),
  };
}
