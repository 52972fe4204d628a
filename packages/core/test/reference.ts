/**
 * The plain order of the checks over facts that are all given: route, then for each stage in the order of its way whether the
 * capture is complete, then what it lacks. Written apart from the grader, so that neither can hide a fault of the other.
 */
export interface ReferenceRow {
  readonly expectedTo: string;
  readonly observedTo: string;
  readonly required: readonly string[];
  readonly source: readonly string[];
  readonly payload: readonly string[];
  readonly destination: readonly string[];
  readonly sourceComplete: boolean;
  readonly payloadComplete: boolean;
  readonly destinationComplete: boolean;
}

export interface ReferenceGrade {
  readonly verdict: string;
  readonly boundary: string;
  readonly missing: readonly string[];
}

export function referenceGrade(row: ReferenceRow): ReferenceGrade {
  const lacking = (keys: readonly string[]): string[] =>
    [...new Set(row.required)].filter((key) => !keys.includes(key)).sort();
  if (row.expectedTo !== row.observedTo) return { verdict: 'routing_mismatch', boundary: 'route', missing: [] };
  const steps = [
    [row.sourceComplete, row.source, 'source_capture', 'upstream_context_missing', 'before_handoff'],
    [row.payloadComplete, row.payload, 'payload_capture', 'packaging_loss', 'source_to_payload'],
    [row.destinationComplete, row.destination, 'destination_capture', 'ingestion_loss', 'payload_to_destination'],
  ] as const;
  for (const [complete, keys, capture, verdict, boundary] of steps) {
    if (!complete) return { verdict: 'insufficient_evidence', boundary: capture, missing: [] };
    const missing = lacking(keys);
    if (missing.length > 0) return { verdict, boundary, missing };
  }
  return { verdict: 'passed', boundary: 'none', missing: [] };
}
