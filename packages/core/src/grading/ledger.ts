import { type Contracts, compareUtf8 } from '@seamtrace/contracts';
import { agreed } from '../evidence/distinct.js';
import { mergeRecords, recordKey } from '../evidence/merge.js';
import type { Evidence, HandoffRecord, ToolEvidence } from '../evidence/types.js';
import type { GradeContext } from './context.js';
import { gradeRecord } from './grade.js';
import type { GradedHandoff } from './types.js';

/** Gathers the evidence of a whole file and grades it at its end. */
export interface Ledger {
  add(evidence: Evidence): void;
  /** Every attempt, sorted by handoff id (UTF-8 bytes) and attempt. */
  grade(): readonly GradedHandoff[];
}

/** A ledger over evidence that is complete when `grade` is called: a file, not a stream. */
export function createLedger(options: { readonly contracts: Contracts | undefined }): Ledger {
  const records = new Map<string, HandoffRecord>();
  const tools = new Map<string, ToolEvidence[]>();
  const speakers = new Set<string>();
  return {
    add({ handoff, tool, speakers: names }) {
      if (handoff !== undefined) {
        const known = records.get(recordKey(handoff));
        records.set(recordKey(handoff), known === undefined ? handoff : mergeRecords(known, handoff));
      }
      if (tool?.runHandoffId !== undefined) append(tools, tool.runHandoffId, tool);
      for (const name of names) speakers.add(name);
    },
    grade() {
      const families = familiesOf([...records.values()]);
      const graded: GradedHandoff[] = [];
      for (const record of records.values()) {
        const context: GradeContext = {
          contracts: options.contracts,
          isInstrumented: (agent) => speakers.has(agent),
          tools: tools.get(record.handoffId) ?? [],
          siblings: (families.get(record.handoffId) ?? []).filter((member) => member !== record),
        };
        const grade = gradeRecord(record, context);
        if (grade !== undefined) graded.push(grade);
      }
      return graded.sort((a, b) => compareUtf8(a.handoff_id, b.handoff_id) || a.attempt - b.attempt);
    },
  };
}

/** Records that belong together: attempts of one id, and handoffs chained by `retry_of`. Linear in the records. */
function familiesOf(records: readonly HandoffRecord[]): ReadonlyMap<string, readonly HandoffRecord[]> {
  const parent = new Map<string, string>();
  const root = (id: string): string => {
    let top = id;
    for (let next = parent.get(top); next !== undefined; next = parent.get(top)) top = next;
    // Later look-ups go straight to the root, so that a long chain of retries stays linear.
    for (let next = id; next !== top;) {
      const above = parent.get(next) ?? top;
      parent.set(next, top);
      next = above;
    }
    return top;
  };
  for (const record of records) {
    const retried = agreed(record.facts.retryOf);
    if (retried !== undefined && root(record.handoffId) !== root(retried))
      parent.set(root(record.handoffId), root(retried));
  }
  const byRoot = new Map<string, HandoffRecord[]>();
  for (const record of records) append(byRoot, root(record.handoffId), record);
  return new Map(records.map((record) => [record.handoffId, byRoot.get(root(record.handoffId)) ?? []]));
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
