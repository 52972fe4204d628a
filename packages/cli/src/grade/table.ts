import { type GradedHandoff } from '@seamtrace/core';
import { VERDICTS } from '@seamtrace/semconv';
import { count } from '../count.js';
import { formatTable } from '../table.js';

const HEADER = ['handoff', 'attempt', 'route', 'verdict', 'boundary', 'missing keys', 'reason', 'owner', 'findings'];

/** What `--format table` prints: a row for each graded handoff and a line that counts them. */
export function toTable(graded: readonly GradedHandoff[]): string {
  const rows = graded.map((one) => [
    one.handoff_id,
    String(one.attempt),
    one.route ?? `${one.source ?? '?'} → ${one.target ?? '?'}`,
    one.verdict,
    one.boundary,
    one.missing_keys.join(', '),
    one.reason ?? '',
    one.owner ?? '',
    one.findings.map(({ id }) => id).join(', '),
  ]);
  return `${formatTable(HEADER, rows)}\n${countVerdicts(graded)}\n`;
}

/** Such as `3 handoffs: 2 passed, 1 packaging_loss`. */
function countVerdicts(graded: readonly GradedHandoff[]): string {
  const parts = VERDICTS.map((verdict) => [verdict, graded.filter((one) => one.verdict === verdict).length] as const)
    .filter(([, times]) => times > 0)
    .map(([verdict, times]) => `${times} ${verdict}`);
  const total = count(graded.length, 'handoff');
  return parts.length === 0 ? total : `${total}: ${parts.join(', ')}`;
}
