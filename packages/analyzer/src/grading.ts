import type { Contracts } from '@seamtrace/contracts';
import { type HandoffRecord, type ReassemblerOptions, fact, gradeRecord } from '@seamtrace/core';

/** How this analyzer grades, and how long it waits for what. */
export type Grader = Pick<ReassemblerOptions, 'grade' | 'deadlineMs'>;

/** Grades against one contract file. */
export function createGrader(contracts: Contracts | undefined, defaultDeadlineMs: number): Grader {
  return {
    grade: (record, context) => gradeRecord(record, { ...context, contracts }),
    deadlineMs(record: HandoffRecord) {
      const route = contracts?.routes.get(fact(record, 'route') ?? '');
      return route === undefined ? defaultDeadlineMs : route.deadlineSeconds * 1000;
    },
  };
}
