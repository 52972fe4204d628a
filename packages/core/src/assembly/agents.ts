import type { Evidence } from '../evidence/types.js';
import { createRecentSet } from '../reassembly/recent.js';
import type { KeptFact } from './types.js';

/** Agents that were heard, so that a restart knows them when all that they said has left the journal. */
export interface Agents {
  note(names: readonly string[], now: number): void;
  takeChanges(): readonly KeptFact[];
  restore(name: string): void;
  /** Evidence of nothing but that the agent is instrumented. */
  evidence(name: string): Evidence;
}

const HEARD = new Uint8Array(0);

/** Remembers at least the `max / 2` agents heard last; only the first word of one is a change, and of no more than `max`. */
export function createAgents(max: number): Agents {
  const known = createRecentSet(max);
  let kept = 0;
  let changes: KeptFact[] = [];
  return {
    note(names, now) {
      for (const key of names) {
        if (!known.has(key) && kept < max) {
          changes.push({ kind: 'agent', key, state: HEARD, at: now });
          kept += 1;
        }
        known.add(key);
      }
    },
    takeChanges() {
      const taken = changes;
      changes = [];
      return taken;
    },
    restore(name) {
      known.add(name);
      kept += 1;
    },
    evidence: (name) => ({ handoff: undefined, tool: undefined, node: undefined, run: undefined, speakers: [name] }),
  };
}
