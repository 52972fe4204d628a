import { describe, expect, test } from 'vitest';
import { runApp } from '../run-app.js';
import { CONTRACTS } from './verdict-of.js';

const KEPT = 'evidence, else parent or off';

/** What the analyzer makes of one handoff between two services, and which other spans were recorded. */
async function handOver(desk: string, billing: string, way: string, keys: string) {
  const result = await runApp({
    app: 'coexistence/apps/two-services.mjs',
    args: ['desk', desk, billing, way, keys],
    contracts: CONTRACTS,
    instrumented: false,
  });
  expect(result.stderr).toBe('');
  expect(result.code).toBe(0);
  return {
    grades: result.grades.map(({ verdict, boundary, reason, missing_keys: keys }) => [
      verdict,
      boundary,
      reason,
      ...keys,
    ]),
    findings: result.grades.flatMap(({ findings }) => findings.map(({ id }) => id)),
    spans: result.spans.map(({ name }) => name).sort(),
  };
}

describe('a handoff between two services that sample', () => {
  test('the producer is sampled out and its evidence travelled: the destination alone tells all', async () => {
    expect((await handOver('off', 'on', 'whole', 'kept')).grades).toEqual([['passed', 'none', null]]);
    expect((await handOver('off', 'on', 'whole', 'lost')).grades).toEqual([
      ['ingestion_loss', 'payload_to_destination', null, 'invoice_id'],
    ]);
  });

  test.each(['kept', 'lost'])(
    'the producer is sampled out and sent no evidence: sampled, no loss (%s)',
    async (keys) => {
      const { grades } = await handOver('off', 'on', 'identity', keys);
      expect(grades).toEqual([['insufficient_evidence', 'source_capture', 'sampled']]);
    },
  );

  test('the producer is sampled out and baggage alone arrived: not even the target is known', async () => {
    const { grades } = await handOver('off', 'on', 'baggage', 'lost');
    expect(grades).toEqual([['insufficient_evidence', 'route', 'target_unknown']]);
  });

  test.each(['on', KEPT])('the producer is there (%s) and sent no evidence: its own span tells', async (desk) => {
    const { grades } = await handOver(desk, 'on', 'identity', 'lost');
    expect(grades).toEqual([['ingestion_loss', 'payload_to_destination', null, 'invoice_id']]);
  });

  test.each(['kept', 'lost'])('the consumer follows a trace that was left out: sampled, no loss (%s)', async (keys) => {
    const { grades, findings } = await handOver(KEPT, 'parent or on', 'whole', keys);
    expect(grades).toEqual([['insufficient_evidence', 'destination_capture', 'sampled']]);
    expect(findings).toEqual([]);
  });

  test('both keep evidence: a verdict, and nothing else is recorded', async () => {
    const { grades, spans } = await handOver(KEPT, KEPT, 'whole', 'lost');
    expect(grades).toEqual([['ingestion_loss', 'payload_to_destination', null, 'invoice_id']]);
    expect(spans).toEqual(['handoff billing', 'ingest to_billing', 'invoke_agent billing']);
  });

  test('both are sampled out: no record, no verdict', async () => {
    const { grades, spans } = await handOver('parent or off', 'parent or on', 'whole', 'lost');
    expect([grades, spans]).toEqual([[], []]);
  });
});
