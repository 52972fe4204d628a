import { type Evidence, extractEvidence } from '@seamtrace/core';
import type { ReceivedBatch } from './receive/types.js';

/** What one request contributes, and what of it cannot be used. */
export interface Extracted {
  readonly evidence: readonly Evidence[];
  /** Spans with nothing of ours on them. */
  readonly silent: number;
  /** One reason for each span that names a handoff by something that is no id. */
  readonly badIds: readonly string[];
}

/** Evidence of every span of a decoded request. */
export function extractAll({ spans }: ReceivedBatch): Extracted {
  const evidence: Evidence[] = [];
  const badIds: string[] = [];
  let silent = 0;
  for (const span of spans) {
    const result = extractEvidence(span);
    if (!result.ok) badIds.push(`span ${span.spanId} '${span.name}': ${result.reason}`);
    else if (result.evidence === undefined) silent += 1;
    else evidence.push(result.evidence);
  }
  return { evidence, silent, badIds };
}
