import type { TaskPiece } from './piece.js';

/** Calls that name the handoff which started their run, and no task: kept until that handoff's task is known. */
export interface Orphans {
  add(handoffId: string, piece: TaskPiece): void;
  /** Takes out what waited for a handoff. */
  take(handoffId: string): readonly TaskPiece[];
  readonly size: number;
}

/** At most `max` calls; beyond it those of the handoff that came first are let go. */
export function createOrphans(max: number): Orphans {
  const waiting = new Map<string, TaskPiece[]>();
  let size = 0;
  function take(handoffId: string): readonly TaskPiece[] {
    const pieces = waiting.get(handoffId) ?? [];
    waiting.delete(handoffId);
    size -= pieces.length;
    return pieces;
  }
  return {
    add(handoffId, piece) {
      if (size >= max) take(waiting.keys().next().value!);
      const pieces = waiting.get(handoffId);
      if (pieces === undefined) waiting.set(handoffId, [piece]);
      else pieces.push(piece);
      size += 1;
    },
    take,
    get size() {
      return size;
    },
  };
}
