import { createQueue } from '../reassembly/queue.js';
import { createRecentSet } from '../reassembly/recent.js';
import { type TaskEntry, encodeEntry } from './codec.js';
import { type TaskMemory, readMemory, remember } from './memory.js';
import { type TaskSlot, append, newSlot, packSlot, unpackSlot } from './slot.js';
import type { KeptTask } from './types.js';

/** The tasks in memory, by id and by how long they have been silent. */
export interface TaskSlots {
  get(id: string): TaskSlot | undefined;
  /** The task of this id, a new one where there is none; `again` where one of this id was let go. */
  open(id: string, now: number): { readonly slot: TaskSlot; readonly again: boolean };
  /** The task said something at `now`, so that it waits anew. */
  touch(slot: TaskSlot, now: number): void;
  /** @param encoded The entry as {@link encodeEntry} writes it, where the caller has it already. */
  write(slot: TaskSlot, entry: TaskEntry, encoded?: string): void;
  /** What its text says. Belongs to the slots: to be read only. */
  read(slot: TaskSlot): TaskMemory;
  forget(slot: TaskSlot): void;
  /** A task of this id was here and is not any more. */
  isGone(id: string): boolean;
  /** The task silent longest, and of those that may have ended the one silent longest. */
  firstSilent(): TaskSlot | undefined;
  firstSettling(): TaskSlot | undefined;
  stopSettling(slot: TaskSlot): void;
  takeChanges(): readonly KeptTask[];
  restore(kept: Iterable<KeptTask>, before: number): void;
  readonly size: number;
  readonly bytes: number;
}

/** Tasks that are kept read beside their text: what a task begins with is mostly asked for soon, and again. */
const MAX_READ = 1024;

/** @param maxGone How many of those let go are remembered. */
export function createTaskSlots(maxGone: number): TaskSlots {
  const slots = new Map<string, TaskSlot>();
  // Every task waits equally long, so that a queue by last word is a queue by deadline.
  const bySilence = createQueue<TaskSlot>();
  const bySettle = createQueue<TaskSlot>();
  const gone = createRecentSet(maxGone);
  const memories = new Map<string, TaskMemory>();
  const changed = new Map<string, number>();
  let bytes = 0;

  function touch(slot: TaskSlot, now: number): void {
    slot.spokeAt = now;
    if (slot.silence !== undefined) bySilence.remove(slot.silence);
    slot.silence = bySilence.push(slot);
    stopSettling(slot);
    if (slot.rootMayHaveEnded && !slot.over) slot.settle = bySettle.push(slot);
    changed.set(slot.id, now);
  }

  function stopSettling(slot: TaskSlot): void {
    if (slot.settle !== undefined) bySettle.remove(slot.settle);
    slot.settle = undefined;
  }

  function read(slot: TaskSlot): TaskMemory {
    const known = memories.get(slot.id);
    if (known !== undefined) return known;
    const memory = readMemory(slot.id, slot.packed);
    memories.set(slot.id, memory);
    if (memories.size > MAX_READ) memories.delete(memories.keys().next().value!);
    return memory;
  }

  function add(slot: TaskSlot): void {
    slots.set(slot.id, slot);
    bytes += slot.packed.length;
    touch(slot, slot.spokeAt);
  }

  return {
    get: (id) => slots.get(id),
    open(id, now) {
      const known = slots.get(id);
      if (known !== undefined) return { slot: known, again: false };
      const slot = newSlot(id, now);
      add(slot);
      return { slot, again: gone.has(id) };
    },
    touch,
    write(slot, entry, encoded = encodeEntry(entry, slot.id)) {
      const memory = slot.packed === '' ? read(slot) : memories.get(slot.id);
      bytes += append(slot, encoded);
      if (memory !== undefined) remember(memory, entry);
      changed.set(slot.id, slot.spokeAt);
    },
    read,
    forget(slot) {
      if (slot.silence !== undefined) bySilence.remove(slot.silence);
      stopSettling(slot);
      slots.delete(slot.id);
      memories.delete(slot.id);
      bytes -= slot.packed.length;
      gone.add(slot.id);
      changed.set(slot.id, slot.spokeAt);
    },
    isGone: (id) => gone.has(id),
    firstSilent: () => bySilence.first(),
    firstSettling: () => bySettle.first(),
    stopSettling,
    takeChanges() {
      const kept = [...changed].map(([key, at]) => {
        const slot = slots.get(key);
        return { key, at, state: slot === undefined ? undefined : packSlot(slot) };
      });
      changed.clear();
      return kept;
    },
    restore(kept, before) {
      const states = [...kept].filter(({ state }) => state !== undefined).sort((a, b) => a.at - b.at);
      for (const { key, state, at } of states) {
        const slot = unpackSlot(key, state!, at);
        if (slot.since < before) add(slot);
      }
      changed.clear();
    },
    get size() {
      return slots.size;
    },
    get bytes() {
      return bytes;
    },
  };
}
