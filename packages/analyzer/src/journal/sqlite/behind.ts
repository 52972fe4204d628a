import type { DeliveryMark, StateChange } from '../journal.js';
import type { CommitWindow } from './messages.js';

/** Marks, state and the limit of release, on their way to the next commit. */
export interface Behind {
  readonly empty: boolean;
  mark(marks: readonly DeliveryMark[]): void;
  change(changes: readonly StateChange[]): void;
  release(before: number): void;
  /** What waits, for a message; it is on its way until one of the two below. */
  take(): Pick<CommitWindow, 'marks' | 'changes' | 'releaseBefore'>;
  written(): void;
  /** It was not written: it waits again, before what has come since. */
  failed(): void;
}

/**
 * What is written behind is bounded by what the caller remembers: a mark for each revision delivered since the last
 * commit, one change for each name of a state.
 */
export function createBehind(): Behind {
  let marks: DeliveryMark[] = [];
  let changes = new Map<string, StateChange>();
  let before = -Infinity;
  let written = -Infinity;
  let taken: { marks: DeliveryMark[]; changes: Map<string, StateChange>; before: number } | undefined;

  return {
    get empty() {
      return marks.length === 0 && changes.size === 0 && before <= (taken?.before ?? written);
    },
    mark(more) {
      for (const mark of more) {
        assertTime(mark.at);
        marks.push(mark);
      }
    },
    change(more) {
      for (const change of more) {
        assertTime(change.at);
        const { kind, key, state } = change;
        changes.set(`${kind}\u0000${key}`, state === undefined ? change : { ...change, state: state.slice() });
      }
    },
    release: (time) => void (before = Math.max(before, time)),
    take() {
      taken = { marks, changes, before };
      marks = [];
      changes = new Map();
      return { marks: taken.marks, changes: [...taken.changes.values()], releaseBefore: before };
    },
    written() {
      written = taken?.before ?? written;
      taken = undefined;
    },
    failed() {
      if (taken === undefined) return;
      marks = [...taken.marks, ...marks];
      changes = new Map([...taken.changes, ...changes]);
      taken = undefined;
    },
  };
}

/** A row without a time would be refused by the database, and every commit with it, again and again. */
export function assertTime(at: number): void {
  if (!Number.isFinite(at)) throw new TypeError(`a time in milliseconds is wanted, not ${at}`);
}
