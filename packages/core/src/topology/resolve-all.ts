import type { Evidence, TraceNode } from '../evidence/types.js';
import type { TraceInterest } from './outline-codec.js';
import { topologyOf } from './topology.js';

/** For outlines whose other requests are not known yet: keeps every trace. */
export const EVERY_TRACE: TraceInterest = { knows: () => true };

/** What the trees of a whole file show. */
export interface Resolved {
  /** Pieces for a ledger, which takes them as any others. */
  readonly evidence: readonly Evidence[];
  /** Tool calls, model calls, dispatches and ingests of which too much is missing. */
  readonly undecided: number;
}

/** Bytes of the smallest row of an outline; there are no more rows than that allows. */
const MIN_ROW_BYTES = 10;

/**
 * What a `Topology` finds in evidence that is complete: `Evidence.node` of every piece and the outline of every request,
 * packed with {@link EVERY_TRACE}, in any order. Nothing is let go for lack of room, and spans that contradict each other
 * say nothing from the first on.
 *
 * @throws CorruptEvidenceError for an outline that is none
 */
export function resolveAll(nodes: readonly TraceNode[], outlines: readonly Uint8Array[]): Resolved {
  const evidence: Evidence[] = [];
  const rows = outlines.reduce((sum, { length }) => sum + Math.ceil(length / MIN_ROW_BYTES), nodes.length);
  // Each row may name a parent that never comes.
  const maxSpans = 2 * rows + 1;
  const sink = { evidence: (piece: Evidence) => evidence.push(piece) };
  const topology = topologyOf({ sink, maxSpans, maxTraces: maxSpans }, true);
  for (const packed of outlines) topology.offerOutline(packed, 0);
  for (const node of nodes) topology.offer(node, 0);
  topology.drain(0);
  return { evidence, undecided: topology.sizes().undecided };
}
