import type { HandoffRecord } from '../evidence/types.js';
import { NONE } from './column.js';
import { type Crowds, createCrowds } from './crowds.js';
import type { Store } from './store.js';

/** Says who goes when there is no room: whoever can no longer be completed, or crowds the others out. */
export interface Eviction {
  /** An attempt is pending. It counts for the task, trace and agent of its first evidence, whatever comes later. */
  enter(slot: number, record: HandoffRecord): void;
  /** It is graded or gone. */
  leave(slot: number): void;
  /** The attempt to push out; `NONE` when nothing is kept. */
  victim(): number;
}

/** No crowd is taken for a flood with this many or fewer attempts pending. */
const FEWEST = 16;
/** A task or trace with more attempts pending at once than this is one, however much room there is. */
const MOST = 256;

/**
 * Graded attempts go first, the oldest before the others: only a revision can be lost. Then of those that are pending:
 * 1. the oldest of the task or trace with most of them, when that is more than any task has in earnest;
 * 2. the oldest of the agent from which more than half of them come;
 * 3. the one incomplete longest; and where none is incomplete, the one that has settled longest.
 * So a flood from one task, trace or agent pushes out itself, and a flood of strangers who have nothing in common pushes
 * out what has been waiting longest.
 */
export function createEviction(store: Store, maxRecords: number, hashSeed?: number): Eviction {
  const tasks = createCrowds(hashSeed);
  const traces = createCrowds(hashSeed);
  const agents = createCrowds(hashSeed);
  const flood = Math.max(FEWEST, Math.min(MOST, Math.floor(maxRecords / 64)));

  function pending(): number {
    const larger: Crowds = tasks.largest >= traces.largest ? tasks : traces;
    if (larger.largest > flood) return larger.oldestOfLargest();
    const half = (store.incomplete.size + store.settling.size) / 2;
    if (agents.largest > Math.max(FEWEST, half)) return agents.oldestOfLargest();
    const incomplete = store.incomplete.first();
    return incomplete === NONE ? store.settling.first() : incomplete;
  }

  return {
    enter(slot, record) {
      tasks.join(slot, record.facts.task?.values[0]);
      traces.join(slot, traceOf(record));
      agents.join(slot, agentOf(record));
    },
    leave(slot) {
      tasks.leave(slot);
      traces.leave(slot);
      agents.leave(slot);
    },
    victim() {
      const graded = store.retained.first();
      return graded === NONE ? pending() : graded;
    },
  };
}

function traceOf({ sides }: HandoffRecord): string | undefined {
  return (sides.producer.traceIds ?? sides.consumer.traceIds)?.values[0];
}

/** Who hands over; where only the consumer has spoken, who took it. */
function agentOf({ facts }: HandoffRecord): string | undefined {
  return (facts.source ?? facts.destination ?? facts.destinationAgent)?.values[0];
}
