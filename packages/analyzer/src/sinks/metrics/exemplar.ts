import type { HandoffRecord } from '@seamtrace/core';
import { spanOf } from '../span.js';
import type { Exemplar } from './instruments.js';

/** OpenMetrics permits this many characters over all names and values of one exemplar. */
const MAX_CHARACTERS = 128;

/** Trace, span and, where it fits, handoff id of one handoff. */
export function exemplarOf(record: HandoffRecord): Exemplar {
  const span = spanOf(record);
  if (span === undefined) return {};
  const ids = { trace_id: span.traceId, span_id: span.spanId };
  const all = { ...ids, handoff_id: record.handoffId };
  const characters = Object.entries(all).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return characters <= MAX_CHARACTERS ? all : ids;
}
