import { agreed } from '../evidence/distinct.js';
import type { Evidence, RunEvidence, ToolEvidence } from '../evidence/types.js';
import type { TaskHop } from './hop.js';
import type { TaskState } from './state.js';
import type { ModelCall } from './view.js';

/** One thing that a task remembers. */
export type TaskPiece =
  | { readonly hop: TaskHop }
  | { readonly tool: ToolEvidence }
  | { readonly run: RunEvidence }
  | { readonly modelCall: ModelCall };

/** A piece, and the task that it belongs to. */
export interface Placed {
  readonly taskId: string;
  readonly piece: TaskPiece;
}

/**
 * What one span contributes to tasks beside its handoff record, which joins when it is graded. `taskOf` tells the task of
 * a handoff, for calls whose span names only the handoff; a call of which nobody knows the task contributes nothing.
 */
export function piecesOf(
  { tool, run, node }: Pick<Evidence, 'tool' | 'run' | 'node'>,
  taskOf: (handoffId: string) => string | undefined,
): readonly Placed[] {
  const placed: Placed[] = [];
  const of = (handoffId: string | undefined) => (handoffId === undefined ? undefined : taskOf(handoffId));
  if (tool !== undefined) {
    const taskId = tool.taskId ?? of(tool.runHandoffId);
    if (taskId !== undefined) placed.push({ taskId, piece: { tool } });
  }
  if (run !== undefined) placed.push({ taskId: run.taskId, piece: { run } });
  if (node?.op === 'model') {
    const taskId = node.taskId ?? of(node.ownerHandoffId);
    const modelCall = { taskId: taskId ?? '', runHandoffId: node.ownerHandoffId, span: node.span };
    if (taskId !== undefined) placed.push({ taskId, piece: { modelCall } });
  }
  return placed;
}

/** The task that a piece of evidence speaks of, if it names one. */
export function taskIn({ handoff, tool, run, node }: Evidence): string | undefined {
  return run?.taskId ?? tool?.taskId ?? agreed(handoff?.facts.task) ?? node?.taskId;
}

export function addPiece(state: TaskState, piece: TaskPiece): void {
  if ('hop' in piece) state.addHop(piece.hop);
  else if ('tool' in piece) state.addTool(piece.tool);
  else if ('run' in piece) state.addRun(piece.run);
  else state.addModelCall(piece.modelCall);
}
