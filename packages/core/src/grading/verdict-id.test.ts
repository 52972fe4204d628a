import { createHash } from 'node:crypto';
import { canonicalJson } from '@seamtrace/contracts';
import { BOUNDARIES, REASONS, VERDICTS } from '@seamtrace/semconv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GradedHandoff } from './types.js';
import { verdictId } from './verdict-id.js';
import { GRADER_VERSION } from './version.js';

const text = () => fc.string({ unit: 'binary' });
const stated = () => fc.option(text(), { nil: null });

const grade = fc.record({
  handoff_id: text(),
  attempt: fc.nat(),
  case_id: stated(),
  task_id: stated(),
  route: stated(),
  source: stated(),
  target: stated(),
  destination: stated(),
  contract_version: stated(),
  verdict: fc.constantFrom(...VERDICTS),
  boundary: fc.constantFrom(...BOUNDARIES),
  missing_keys: fc.array(text()),
  reason: fc.option(fc.constantFrom(...REASONS), { nil: null }),
  delivered: fc.constantFrom('yes', 'no', 'unknown'),
  recovery: fc.constantFrom('none_needed', 'recovered', 'not_recovered', 'unknown'),
  recovery_by: fc.option(fc.constantFrom('retry', 'person', 'destination_lookup'), { nil: null }),
  run_outcome: fc.constantFrom('ok', 'run_error', 'tool_error', 'cancelled', 'unknown'),
  secondary: fc.option(
    fc.record({
      route: text(),
      verdict: fc.constantFrom(...VERDICTS),
      boundary: fc.constantFrom(...BOUNDARIES),
      missing_keys: fc.array(text()),
    }),
    { nil: null },
  ),
  evidence: fc.constant('declared'),
  owner: stated(),
  findings: fc.array(
    fc.record({ id: fc.constantFrom('loop', 'context_dump'), detail: fc.record({ b: fc.jsonValue(), a: text() }) }),
  ),
  grader_version: fc.constant(GRADER_VERSION),
}) as fc.Arbitrary<GradedHandoff>;

describe('verdictId', () => {
  it('is 32 hex digits of SHA-256 over the canonical JSON of the whole grade and the digest of the contract file', () => {
    const digest = fc.option(text(), { nil: undefined });
    fc.assert(
      fc.property(grade, digest, (graded, contracts) => {
        const content = canonicalJson({ ...graded, contracts_digest: contracts ?? null })!;
        const expected = createHash('sha256').update(content).digest('hex').slice(0, 32);
        expect(verdictId(graded, contracts)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});
