import { describe, expect, it } from 'vitest';
import { runPair } from './run-pair.js';

// The sender has no tracing of its own but `register`: it is `triage` by the name of its service.

describe.each(['newest', 'oldest'])('A2A %s', (version) => {
  it('tells the six verdicts apart, across two processes', async () => {
    const names = [
      'passed',
      'upstream-missing',
      'packaging-loss',
      'ingestion-loss',
      'misrouted',
      'text-only',
      'text-beside',
      'json-text',
      'message-metadata',
      'request-metadata',
    ];
    const result = await runPair({ version, names, server: { env: { HANDOFF_API: '1' } } });
    const verdicts = names.map((name) => {
      const grade = result.grade(name);
      return [name, grade?.verdict, grade?.boundary, grade?.missing_keys, grade?.reason];
    });
    expect(verdicts).toEqual([
      ['passed', 'passed', 'none', [], null],
      ['upstream-missing', 'upstream_context_missing', 'before_handoff', ['invoice_id'], null],
      ['packaging-loss', 'packaging_loss', 'source_to_payload', ['invoice_id'], null],
      ['ingestion-loss', 'ingestion_loss', 'payload_to_destination', ['invoice_id'], null],
      ['misrouted', 'routing_mismatch', 'route', [], null],
      ['text-only', 'insufficient_evidence', 'source_capture', [], 'unsupported'],
      ['text-beside', 'insufficient_evidence', 'payload_capture', [], 'unsupported'],
      ['json-text', 'passed', 'none', [], null],
      ['message-metadata', 'passed', 'none', [], null],
      // 0.3 keeps the request's own metadata from the executor (a2a-js #43).
      version === 'newest'
        ? ['request-metadata', 'passed', 'none', [], null]
        : ['request-metadata', 'ingestion_loss', 'payload_to_destination', ['invoice_id'], null],
    ]);
    for (const name of names.filter((each) => each !== 'misrouted')) {
      expect([name, result.grade(name, 'return')?.verdict]).toEqual([name, 'passed']);
    }
    expect(result.grades).toHaveLength(2 * names.length);
    expect(result.grades.flatMap(({ findings }) => findings.map(({ id }) => id))).toEqual([]);
    expect(result.counters['internal_error']).toBe(0);
  });
});
