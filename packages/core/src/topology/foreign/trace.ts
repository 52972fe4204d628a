import type { ForeignRow } from '../../decode/outline.js';
import { byCodeUnit } from '../../evidence/distinct.js';
import type { OutlineReader } from '../outline-codec.js';

/** What is known of one trace in which a foreign dialect speaks. */
export interface ForeignTrace {
  /** Parents by span; empty for a root span. */
  readonly parents: Map<string, string>;
  readonly signs: Map<string, ForeignRow>;
  /** Places of graph nodes in which something stood. */
  readonly places: Set<string>;
  /** Agents of which a span of ours spoke in this trace, in the form of `foldName`. */
  readonly ours: Set<string>;
  /** More came than may be kept: what is missing cannot be told from what never was. */
  partial: boolean;
}

export function createForeignTrace(): ForeignTrace {
  return { parents: new Map(), signs: new Map(), places: new Set(), ours: new Set(), partial: false };
}

/** Takes one row of an outline. The same row again changes nothing, and no order of rows does. */
export function addSign(trace: ForeignTrace, row: ForeignRow): void {
  const { place, role } = row.sign;
  if (place !== undefined) trace.places.add(place);
  trace.parents.set(row.spanId, row.parentSpanId);
  if (role === 'mark') return;
  const known = trace.signs.get(row.spanId);
  const other = known !== undefined && byCodeUnit(JSON.stringify(known.sign), JSON.stringify(row.sign)) <= 0;
  if (!other) trace.signs.set(row.spanId, row);
}

/** Visits each span of an outline with the number of its trace, its id and that of its parent, both in hex. */
export function eachSpan(
  reader: OutlineReader,
  visit: (trace: number, spanId: string, parentId: string) => void,
): void {
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    const root = row.parentHigh === 0 && row.parentLow === 0;
    visit(row.trace, hex(row.spanHigh, row.spanLow), root ? '' : hex(row.parentHigh, row.parentLow));
  }
}

function hex(high: number, low: number): string {
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
