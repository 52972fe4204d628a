import type { Evidence } from '../../evidence/types.js';
import { readOutline } from '../outline-codec.js';
import { inferTrace } from './infer.js';
import { repeated, summaryOf } from './twins.js';
import { type ForeignTrace, addSign, createForeignTrace, eachSpan } from './trace.js';

/**
 * What the foreign dialects in a whole file show: the outline of every request, packed with `EVERY_TRACE`, in any order.
 *
 * Of two traces that two instrumentations made of one run, one is told of.
 *
 * @param ours - by trace id, the agents of which spans of ours speak in that trace
 * @throws CorruptEvidenceError for an outline that is none
 */
export function inferAll(
  outlines: readonly Uint8Array[],
  ours: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Evidence[] {
  const traces = new Map<string, ForeignTrace>();
  const of = (key: string): ForeignTrace => {
    const known = traces.get(key) ?? createForeignTrace();
    traces.set(key, known);
    return known;
  };
  for (const packed of outlines) {
    const { foreign, traces: keys } = readOutline(packed);
    for (const row of foreign) addSign(of(keys[row.trace] as string), row);
  }
  if (traces.size === 0) return [];
  for (const packed of outlines) {
    const reader = readOutline(packed);
    eachSpan(reader, (trace, spanId, parentId) => {
      traces.get(reader.traces[trace] as string)?.parents.set(spanId, parentId);
    });
  }
  const found = [...traces].map(([key, trace]) => {
    const traceId = Buffer.from(key, 'latin1').toString('hex');
    for (const name of ours.get(traceId) ?? []) trace.ours.add(name);
    const evidence = inferTrace(traceId, trace);
    return { traceId, evidence, summary: summaryOf(traceId, trace, evidence) };
  });
  const left = repeated(found.flatMap(({ summary }) => (summary === undefined ? [] : [summary])));
  return found.filter(({ traceId }) => !left.has(traceId)).flatMap(({ evidence }) => evidence);
}
