import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gradeAttempt, judgeFamily } from './judge/judge.js';
import { type Capture, DAMAGES, type Piece } from './judge/piece.js';
import { createRandom } from './random.js';

const KEYS = ['customer_id', 'invoice_id', 'locale'];
const AGENTS = ['billing', 'support'];
const reference = fileURLToPath(new URL('judge/reference.py', import.meta.url));
const speakers = new Set(['triage', ...AGENTS]);

function piece(parts: Partial<Piece>): Piece {
  return { name: 'p', family: 'f', handoffId: 'h-1', attempt: 1, role: 'dispatch', stages: {}, ...parts };
}

const all: Capture = { keys: KEYS };
const dispatch = piece({
  name: 'd',
  source: 'triage',
  target: 'billing',
  required: ['customer_id', 'invoice_id'],
  stages: { source: all, payload: all },
});
const ingest = piece({
  name: 'i',
  role: 'ingest',
  source: 'triage',
  target: 'billing',
  destination: 'billing',
  stages: { destination: all },
});

describe('the judge', () => {
  it('equals the published reference on 20,000 rows with every fact given', () => {
    const random = createRandom(20_261_130);
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      case_id: `case-${index}`,
      handoff_id: `h-${index}`,
      expected_to_agent: random.pick(AGENTS),
      observed_to_agent: random.pick(AGENTS),
      required_keys: random.some(KEYS, 0.6),
      source_keys: random.some(KEYS, 0.8),
      payload_keys: random.some(KEYS, 0.8),
      destination_keys: random.some(KEYS, 0.8),
      source_capture_complete: random.chance(0.9),
      payload_capture_complete: random.chance(0.9),
      destination_capture_complete: random.chance(0.9),
    }));
    const input = rows.map((row) => JSON.stringify(row)).join('\n');
    const run = spawnSync('python3', [reference], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
    expect(run.stderr, 'this test needs python3 on the PATH').toBe('');
    const expected = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

    const capture = (keys: readonly string[], complete: boolean): Capture =>
      complete ? { keys } : { keys, damage: random.pick(DAMAGES) };
    const judged = rows.map((row) => {
      const shared = { source: 'triage', target: row.expected_to_agent, required: row.required_keys };
      const source = capture(row.source_keys, row.source_capture_complete);
      const payload = capture(row.payload_keys, row.payload_capture_complete);
      const destination = capture(row.destination_keys, row.destination_capture_complete);
      const spans = [
        piece({ ...shared, name: 'd', stages: { source, payload } }),
        piece({ ...shared, name: 'i', role: 'ingest', destination: row.observed_to_agent, stages: { destination } }),
      ];
      const { verdict, boundary, missing } = gradeAttempt(random.shuffled(spans), speakers);
      return [verdict, boundary, missing];
    });
    expect(judged).toEqual(expected);
    expect(new Set(judged.map(([verdict]) => verdict)).size).toBe(6);
  });

  it.each([
    ['the dispatch span is missing', [ingest], 'contract', 'no_contract'],
    [
      'the dispatch span is missing and the consumer knows the contract',
      [{ ...ingest, required: ['customer_id'] }],
      'source_capture',
      'span_missing',
    ],
    ['the ingest span is missing', [dispatch], 'destination_capture', 'span_missing'],
    ['the target never spoke', [{ ...dispatch, target: 'archive' }], 'destination_capture', 'uninstrumented'],
    ['nobody names a target', [piece({ stages: { source: all } })], 'route', 'target_unknown'],
    ['two targets are named', [dispatch, { ...ingest, target: 'support' }], 'identity', 'identity_conflict'],
    [
      'the sides name other versions',
      [
        { ...dispatch, version: '1' },
        { ...ingest, version: '2' },
      ],
      'contract_version',
      'version_mismatch',
    ],
    ['the sides require other keys', [dispatch, { ...ingest, required: [] }], 'contract_version', 'version_mismatch'],
    ['the dispatch was prevented', [{ ...dispatch, prevented: true }], 'destination_capture', 'not_dispatched'],
    [
      'another payload is restated',
      [dispatch, { ...ingest, stages: { ...ingest.stages, payload: { keys: ['other'] } } }],
      'identity',
      'identity_conflict',
    ],
    [
      'one execution saw two sets of keys',
      [dispatch, ingest, { ...ingest, stages: { destination: { keys: [] } } }],
      'destination_capture',
      'contradiction',
    ],
    [
      'an incomplete capture shows a name that the complete one lacks',
      [dispatch, ingest, { ...ingest, stages: { destination: { keys: ['tier'], damage: 'sampled' } } }],
      'destination_capture',
      'contradiction',
    ],
    [
      'a capture is masked',
      [{ ...dispatch, stages: { source: { keys: KEYS, damage: 'masked' } } }, ingest],
      'source_capture',
      'redacted',
    ],
    [
      'a capture is cut',
      [{ ...dispatch, stages: { source: { keys: KEYS, damage: 'shortened' } } }, ingest],
      'source_capture',
      'truncated',
    ],
    [
      'a capture says no reason',
      [{ ...dispatch, stages: { source: { keys: [], damage: 'unstated' } } }, ingest],
      'source_capture',
      'capture_incomplete',
    ],
  ] as const)('knows no verdict when %s', (_, pieces, boundary, reason) => {
    const judged = gradeAttempt(pieces, speakers);
    expect(judged).toEqual({ verdict: 'insufficient_evidence', boundary, missing: [], reason });
  });

  it('takes the lowest execution with a complete capture', () => {
    const first = { ...ingest, stages: { destination: { keys: [], damage: 'error' } } } as const;
    const second = { ...ingest, execution: 2, stages: { destination: { keys: ['customer_id'] } } };
    const third = { ...ingest, execution: 3 };
    expect(gradeAttempt([dispatch, third, second, first], speakers)).toMatchObject({
      verdict: 'ingestion_loss',
      missing: ['invoice_id'],
    });
  });

  it('leaves a verdict as it was when a later attempt passes, and says that it recovered', () => {
    const lost = { ...dispatch, stages: { source: all, payload: { keys: ['customer_id'] } } };
    const retried = [dispatch, ingest].map((one) => ({ ...one, handoffId: 'h-2', retryOf: 'h-1' }));
    const attempts = judgeFamily([lost, ...retried], speakers);
    expect(attempts.get('h-1~1')).toMatchObject({ verdict: 'packaging_loss', recovery: 'recovered' });
    expect(attempts.get('h-2~1')).toMatchObject({ verdict: 'passed', recovery: 'none_needed' });
    expect(judgeFamily([lost], speakers).get('h-1~1')).toMatchObject({ recovery: 'not_recovered' });
  });
});
