import type { Contracts } from '@seamtrace/contracts';
import { type HandoffRecord, type ReassemblerOptions, fact, gradeRecord } from '@seamtrace/core';

/** How this analyzer grades, and how long it waits for what. */
export type Grader = Pick<ReassemblerOptions, 'grade' | 'deadlineMs'>;

/** Grades against one contract file, in which an agent may have more than one name. */
export function createGrader(contracts: Contracts | undefined, defaultDeadlineMs: number): Grader {
  const spellings = new Map<string, readonly string[]>();
  for (const { name, aliases } of contracts?.agents.values() ?? []) {
    for (const spelling of [name, ...aliases]) spellings.set(spelling, [name, ...aliases]);
  }
  return {
    grade: (record, context) =>
      gradeRecord(record, {
        ...context,
        contracts,
        isInstrumented: (agent) => (spellings.get(agent) ?? [agent]).some(context.isInstrumented),
      }),
    deadlineMs(record: HandoffRecord) {
      const route = contracts?.routes.get(fact(record, 'route') ?? '');
      return route === undefined ? defaultDeadlineMs : route.deadlineSeconds * 1000;
    },
  };
}
