import { type TaskEntry, decodeEntries, encodeEntry } from './codec.js';
import { addPiece } from './piece.js';
import { type TaskState, createTaskState } from './state.js';

/** A task's packed text, read. */
export interface TaskMemory {
  readonly state: TaskState;
  /** Marks of what is counted already. */
  readonly counted: Map<string, number>;
}

/** Reads a packed text. Entries in any order, repeated or not, give the same memory. */
export function readMemory(taskId: string, packed: string): TaskMemory {
  const memory: TaskMemory = { state: createTaskState(taskId), counted: new Map() };
  for (const entry of decodeEntries(packed, taskId)) remember(memory, entry);
  return memory;
}

/** Adds an entry to what was read. */
export function remember({ state, counted }: TaskMemory, entry: TaskEntry): void {
  if ('lost' in entry) state.lose();
  else if ('counted' in entry) mark(counted, entry.counted.of, entry.counted.mark);
  else addPiece(state, entry);
}

/** The shortest text that reads as this memory: what was repeated, or did not fit, is gone from it. */
export function packMemory({ state, counted }: TaskMemory): string {
  const entries: TaskEntry[] = [
    ...(state.lost ? [{ lost: true as const }] : []),
    ...[...state.hops.values()].map((hop) => ({ hop })),
    ...[...state.tools.values()].map((tool) => ({ tool })),
    ...[...state.runs.values()].map((run) => ({ run })),
    ...[...state.modelCalls.values()].map((modelCall) => ({ modelCall })),
    ...[...counted].map(([of, amount]) => ({ counted: { of, mark: amount } })),
  ];
  return entries.map((entry) => encodeEntry(entry, state.taskId)).join();
}

/** Bits of a hop add up; of an amount the largest counts. A handoff id holds no `~`, a budget counter neither. */
function mark(counted: Map<string, number>, of: string, added: number): void {
  const known = counted.get(of) ?? 0;
  counted.set(of, of.includes('~') ? known | added : Math.max(known, added));
}
