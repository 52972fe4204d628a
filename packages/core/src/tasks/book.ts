import { agreed } from '../evidence/distinct.js';
import { recordKey } from '../evidence/merge.js';
import type { Evidence, HandoffRecord } from '../evidence/types.js';
import { hopOf } from './hop.js';
import { outcomeOf } from './outcome.js';
import { addPiece, piecesOf } from './piece.js';
import { type TaskState, createTaskState, viewTask } from './state.js';
import type { TaskView } from './view.js';

/** The tasks of evidence that is all there, such as a file: every task in it has ended. */
export interface TaskBook {
  /** Records come first: a call that names only its handoff finds its task by them. */
  addRecord(record: HandoffRecord): void;
  add(evidence: Partial<Pick<Evidence, 'tool' | 'run' | 'node'>>): void;
  /** What is known of the handoff's task; `undefined` where no task, or several, are stated. */
  viewOf(record: HandoffRecord): TaskView | undefined;
}

export function createTaskBook(): TaskBook {
  const states = new Map<string, TaskState>();
  const taskOfHandoff = new Map<string, string | undefined>();
  const views = new Map<string, TaskView>();

  function stateOf(taskId: string): TaskState {
    const known = states.get(taskId);
    if (known !== undefined) return known;
    const state = createTaskState(taskId);
    states.set(taskId, state);
    return state;
  }

  return {
    addRecord(record) {
      const taskId = agreed(record.facts.task);
      if (taskId === undefined) return;
      const { handoffId } = record;
      // Attempts in two tasks: which of them a call of its run served is not known then.
      const one = !taskOfHandoff.has(handoffId) || taskOfHandoff.get(handoffId) === taskId;
      taskOfHandoff.set(handoffId, one ? taskId : undefined);
      stateOf(taskId).addHop(hopOf(record));
    },
    add({ tool, run, node }) {
      const all = { tool, run, node };
      for (const { taskId, piece } of piecesOf(all, (id) => taskOfHandoff.get(id))) addPiece(stateOf(taskId), piece);
    },
    viewOf(record) {
      const taskId = agreed(record.facts.task);
      const state = taskId === undefined ? undefined : states.get(taskId);
      if (taskId === undefined || state === undefined) return undefined;
      const own = state.hops.has(recordKey(record)) ? undefined : hopOf(record);
      const known = own === undefined ? views.get(taskId) : undefined;
      if (known !== undefined) return known;
      const view = viewTask(state, own, outcomeOf(viewTask(state, own, undefined)));
      if (own === undefined) views.set(taskId, view);
      return view;
    },
  };
}
