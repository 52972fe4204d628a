import type { Contracts } from '@seamtrace/contracts';
import type { HandoffRecord, ToolEvidence } from '../evidence/types.js';
import type { TaskView } from '../tasks/view.js';

/** What grading needs beside the record itself. */
export interface GradeContext {
  readonly contracts: Contracts | undefined;
  /**
   * A span of ours from an agent of this name was seen, so that silence about it means a missing span. The name is given
   * as `Evidence.speakers` has it; each name by which the contract file knows the agent is asked for.
   */
  isInstrumented(agent: string): boolean;
  /** Tool calls of the run that this handoff started. */
  readonly tools: readonly ToolEvidence[];
  /** Other attempts of this handoff, and handoffs that retry it under another id, directly or through others. */
  readonly siblings: readonly HandoffRecord[];
  /** The task that the handoff serves, as far as it is known; absent where it is not, and what needs it is not found. */
  readonly task?: TaskView | undefined;
  /** Capacity pushed the record out before its deadline. */
  readonly evicted?: boolean;
}
