import { type Contracts, compareUtf8 } from '@seamtrace/contracts';
import { agreed } from '../evidence/distinct.js';
import { mergeRecords, recordKey } from '../evidence/merge.js';
import type { Evidence, HandoffRecord, ToolEvidence } from '../evidence/types.js';
import { type Relatives, createRelatives } from '../reassembly/relatives.js';
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
      const sorted = [...records.values()].sort(byIdAndAttempt);
      const relatives = relate(sorted);
      const graded: GradedHandoff[] = [];
      for (const record of sorted) {
        const context: GradeContext = {
          contracts: options.contracts,
          isInstrumented: (agent) => speakers.has(agent),
          tools: tools.get(record.handoffId) ?? [],
          siblings: relatives.after(record.handoffId, record.attempt),
        };
        const grade = gradeRecord(record, context);
        if (grade !== undefined) graded.push(grade);
      }
      return graded;
    },
  };
}

function byIdAndAttempt(a: HandoffRecord, b: HandoffRecord): number {
  return compareUtf8(a.handoffId, b.handoffId) || a.attempt - b.attempt;
}

/** Who retries whom; filled in one order, so that the order of the file cannot show where a family is cut. */
function relate(records: readonly HandoffRecord[]): Relatives<HandoffRecord> {
  const relatives = createRelatives<HandoffRecord>();
  for (const record of records) {
    relatives.add(record.handoffId, record.attempt, record);
    relatives.link(record.handoffId, agreed(record.facts.retryOf));
  }
  return relatives;
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
