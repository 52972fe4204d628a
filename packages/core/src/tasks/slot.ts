import type { Place } from '../reassembly/queue.js';
import { packMemory, readMemory } from './memory.js';
import type { HopRef } from './types.js';

/** A graded attempt, and whether its mode is known, without which no model call bears on it but those of its own run. */
export interface GradedHop extends HopRef {
  readonly mode: boolean;
}

/** One task in memory: a packed text, and what must be known without reading it. */
export interface TaskSlot {
  readonly id: string;
  packed: string;
  /** Length of the text when it was last packed anew, without repetitions. */
  packedSize: number;
  spokeAt: number;
  /** When it was first heard of. */
  readonly since: number;
  /** A run ended that may be its root run. */
  rootMayHaveEnded: boolean;
  /** It is a part of another task. */
  subtask: boolean;
  /** Its end was told. */
  over: boolean;
  /** It spoke after its end was told, which is not told twice. */
  again: boolean;
  graded: readonly GradedHop[];
  /** Attempts that were heard of and not graded yet, at most 64; a restart hears of them again. */
  awaited: Set<string> | undefined;
  silence: Place<TaskSlot> | undefined;
  settle: Place<TaskSlot> | undefined;
}

/** A text is packed anew when it has doubled, so that repetitions cost a constant share; small ones are left alone. */
const SLACK_BYTES = 4096;
const NONE: readonly GradedHop[] = [];

export function newSlot(id: string, now: number): TaskSlot {
  return {
    id,
    packed: '',
    packedSize: 0,
    spokeAt: now,
    since: now,
    rootMayHaveEnded: false,
    subtask: false,
    over: false,
    again: false,
    graded: NONE,
    awaited: undefined,
    silence: undefined,
    settle: undefined,
  };
}

/** Appends an encoded entry; returns by how many bytes the text grew or shrank. */
export function append(slot: TaskSlot, encoded: string): number {
  const before = slot.packed.length;
  slot.packed = before === 0 ? encoded : `${slot.packed},${encoded}`;
  if (slot.packed.length > 2 * slot.packedSize + SLACK_BYTES) {
    slot.packed = packMemory(readMemory(slot.id, slot.packed));
    slot.packedSize = slot.packed.length;
  }
  return slot.packed.length - before;
}

/** First byte of a packed task. */
const PACKED_VERSION = 1;
type Head = readonly [boolean, boolean, boolean, boolean, readonly (readonly [string, number, boolean])[], number];

/** A task for the journal: a version byte, a line of what is known without reading the rest, the packed text. */
export function packSlot({ subtask, rootMayHaveEnded, over, again, graded, since, packed }: TaskSlot): Uint8Array {
  const hops = graded.map(({ handoffId, attempt, mode }) => [handoffId, attempt, mode] as const);
  const head: Head = [subtask, rootMayHaveEnded, over, again, hops, since];
  const text = new TextEncoder().encode(`${JSON.stringify(head)}\n${packed}`);
  const bytes = new Uint8Array(text.length + 1);
  bytes[0] = PACKED_VERSION;
  bytes.set(text, 1);
  return bytes;
}

/** @throws RangeError on bytes of another version, which no journal of this version holds. */
export function unpackSlot(id: string, bytes: Uint8Array, at: number): TaskSlot {
  if (bytes[0] !== PACKED_VERSION) throw new RangeError(`task state of version ${bytes[0]} cannot be read`);
  const text = new TextDecoder().decode(bytes.subarray(1));
  const end = text.indexOf('\n');
  const [subtask, rootMayHaveEnded, over, again, hops, since] = JSON.parse(text.slice(0, end)) as Head;
  const packed = text.slice(end + 1);
  const graded = hops.map(([handoffId, attempt, mode]) => ({ handoffId, attempt, mode }));
  const slot = { ...newSlot(id, at), packed, packedSize: packed.length, subtask, rootMayHaveEnded, over, again };
  return { ...slot, graded, since };
}
