import type { Contracts } from '@seamtrace/contracts';
import { type AssemblyOptions, type FindingThresholds, type HandoffRecord, fact, gradeRecord } from '@seamtrace/core';

/** How this analyzer grades, and how long it waits for what. */
export type Grader = Pick<AssemblyOptions, 'grade' | 'deadlineMs'>;

/** Grades against one contract file, with findings from these thresholds on. */
export function createGrader(
  contracts: Contracts | undefined,
  thresholds: FindingThresholds,
  defaultDeadlineMs: number,
): Grader {
  return {
    grade: (record, context) => gradeRecord(record, { ...context, contracts }, thresholds),
    deadlineMs(record: HandoffRecord) {
      const route = contracts?.routes.get(fact(record, 'route') ?? '');
      return route === undefined ? defaultDeadlineMs : route.deadlineSeconds * 1000;
    },
  };
}
