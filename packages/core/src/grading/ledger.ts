import { type Contracts, compareUtf8 } from '@seamtrace/contracts';
import { agreed } from '../evidence/distinct.js';
import { mergeRecords, recordKey } from '../evidence/merge.js';
import type { Evidence, HandoffRecord, RunEvidence, ToolEvidence, TraceNode } from '../evidence/types.js';
import { createRetries, gatherFamily } from '../reassembly/retries.js';
import { createTaskBook } from '../tasks/book.js';
import { compareStarts, joinStatements, spanKey } from '../evidence/spans.js';
import { resolveAll } from '../topology/resolve-all.js';
import { inferAll } from '../topology/foreign/infer-all.js';
import { namesIn } from '../topology/foreign/ours.js';
import { DEFAULT_THRESHOLDS, type FindingThresholds } from './findings/types.js';
import type { GradeContext } from './context.js';
import { gradeRecord } from './grade.js';
import type { GradedHandoff } from './types.js';

/** Gathers the evidence of a whole file and grades it at its end. */
export interface Ledger {
  add(evidence: Evidence): void;
  /** Takes where the other spans of a request stand, packed with `EVERY_TRACE`. */
  addOutline(packed: Uint8Array): void;
  /** Every attempt, sorted by handoff id (UTF-8 bytes) and attempt. */
  grade(): readonly GradedHandoff[];
}

export interface LedgerOptions {
  readonly contracts: Contracts | undefined;
  readonly thresholds?: FindingThresholds;
}

/**
 * A ledger over evidence that is complete when `grade` is called: a file, not a stream. It grades in two passes: first what
 * is known of each task is gathered, what the trees of traces show included, then each handoff is graded with its task, which has ended with the file.
 */
export function createLedger({ contracts, thresholds = DEFAULT_THRESHOLDS }: LedgerOptions): Ledger {
  const records = new Map<string, HandoffRecord>();
  const tools = new Map<string, ToolEvidence>();
  const runs = new Map<string, RunEvidence>();
  const modelCalls = new Map<string, TraceNode>();
  const nodes: TraceNode[] = [];
  const outlines: Uint8Array[] = [];
  const speakers = new Set<string>();
  const ours = new Map<string, Set<string>>();

  function take({ handoff, tool, run, node, speakers: names }: Evidence): void {
    if (handoff !== undefined) {
      const known = records.get(recordKey(handoff));
      records.set(recordKey(handoff), known === undefined ? handoff : mergeRecords(known, handoff));
    }
    if (tool !== undefined) keepOne(tools, tool);
    if (run !== undefined) keepOne(runs, run);
    if (node?.op === 'model') keepOne(modelCalls, node);
    for (const name of names) speakers.add(name);
  }

  return {
    add(evidence) {
      take(evidence);
      if (evidence.node === undefined) return;
      nodes.push(evidence.node);
      const { traceId } = evidence.node;
      const names = ours.get(traceId) ?? new Set<string>();
      for (const name of namesIn(evidence)) names.add(name);
      ours.set(traceId, names);
    },
    addOutline: (packed) => void outlines.push(packed),
    grade() {
      resolveAll(nodes, outlines).evidence.forEach(take);
      inferAll(outlines, ours).forEach(take);
      const sorted = [...records.values()].sort(byIdAndAttempt);
      const relativesOf = relate(sorted);
      const book = createTaskBook();
      for (const record of sorted) book.addRecord(record);
      for (const tool of tools.values()) book.add({ tool });
      for (const run of runs.values()) book.add({ run });
      for (const node of modelCalls.values()) book.add({ node });
      const calls = byRun(tools.values());
      const graded: GradedHandoff[] = [];
      for (const record of sorted) {
        const context: GradeContext = {
          contracts,
          isInstrumented: (agent) => speakers.has(agent),
          tools: calls.get(record.handoffId) ?? [],
          siblings: relativesOf(record),
          task: book.viewOf(record),
        };
        const grade = gradeRecord(record, context, thresholds);
        if (grade !== undefined) graded.push(grade);
      }
      return graded;
    },
  };
}

/** A span is one span however often a file repeats it. */
function keepOne<T extends { readonly span: ToolEvidence['span'] }>(kept: Map<string, T>, value: T): void {
  const key = spanKey(value.span);
  const known = kept.get(key);
  kept.set(key, known === undefined ? value : joinStatements(known, value));
}

function byRun(tools: Iterable<ToolEvidence>): ReadonlyMap<string, readonly ToolEvidence[]> {
  const lists = new Map<string, ToolEvidence[]>();
  for (const tool of [...tools].sort((a, b) => compareStarts(a.span, b.span))) {
    if (tool.runHandoffId !== undefined) append(lists, tool.runHandoffId, tool);
  }
  return lists;
}

function byIdAndAttempt(a: HandoffRecord, b: HandoffRecord): number {
  return compareUtf8(a.handoffId, b.handoffId) || a.attempt - b.attempt;
}

/** The other attempts of a handoff and what retries it; filled in one order, so that the order of the file cannot show where a family is cut. */
function relate(records: readonly HandoffRecord[]): (record: HandoffRecord) => readonly HandoffRecord[] {
  const attempts = new Map<string, [attempt: number, record: HandoffRecord][]>();
  const retries = createRetries();
  for (const record of records) {
    append(attempts, record.handoffId, [record.attempt, record]);
    retries.link(record.handoffId, agreed(record.facts.retryOf));
  }
  const attemptsOf = (handoffId: string) => attempts.get(handoffId) ?? [];
  return ({ handoffId, attempt }) => gatherFamily({ handoffId, attempt, attemptsOf, further: retries.of });
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
