import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  type HandoffSpanModel,
  type SpanModel,
  type StageModel,
  encodeJson,
  encodeProtobuf,
  handoffSpan,
  traceRequest,
} from '@seamtrace/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferenceRow, referenceGrade } from '../../packages/core/test/reference.js';

const cli = fileURLToPath(new URL('../../packages/cli/bin/seamtrace.js', import.meta.url));
const HANDOFFS = 4000;
const KEYS = ['customer_id', 'invoice_id', 'locale', 'order.id', 'tier'];
const AGENTS = ['billing', 'support', 'refunds'];

const contracts = `version: 1
agents:
  triage: {}
  billing: { aliases: [billing_agent] }
  support: {}
  refunds: {}
routes:
  to_billing: { from: triage, to: billing, version: "2", required: [customer_id, invoice_id], permitted: [customer_id, invoice_id, locale, order.id, tier] }
`;

interface Case extends ReferenceRow {
  readonly layout: 'one span' | 'two spans' | 'three spans';
  readonly traces: readonly string[];
  readonly repeat: boolean;
  readonly roleless: boolean;
}

const keys = fc.subarray(KEYS);
const trace = fc.stringMatching(/^[0-9a-f]{31}1$/);
const cases: fc.Arbitrary<Case> = fc.record({
  expectedTo: fc.constantFrom('billing', ...AGENTS),
  observedTo: fc.constantFrom('billing', 'billing', ...AGENTS),
  required: keys,
  source: fc.oneof(keys, fc.constant(KEYS)),
  payload: fc.oneof(keys, fc.constant(KEYS)),
  destination: fc.oneof(keys, fc.constant(KEYS)),
  sourceComplete: fc.constantFrom(true, true, true, false),
  payloadComplete: fc.constantFrom(true, true, true, false),
  destinationComplete: fc.constantFrom(true, true, true, false),
  layout: fc.constantFrom('one span', 'two spans', 'three spans'),
  traces: fc.array(trace, { minLength: 3, maxLength: 3 }),
  repeat: fc.boolean(),
  roleless: fc.boolean(),
});

function stage(keys: readonly string[], complete: boolean): StageModel {
  return complete ? keys : { keys, incomplete: 'sampled' };
}

function spansOf(given: Case, handoffId: string): SpanModel[] {
  const shared = {
    handoffId,
    source: 'triage',
    target: given.expectedTo,
    task: `task-${handoffId}`,
    contractVersion: '1',
    requiredKeys: given.required,
    permittedKeys: KEYS,
  };
  const sourceStage = stage(given.source, given.sourceComplete);
  const payloadStage = stage(given.payload, given.payloadComplete);
  const consumer = {
    destination: given.observedTo,
    destinationStage: stage(given.destination, given.destinationComplete),
  };
  const dispatch: Omit<HandoffSpanModel, 'handoffId'> = { role: 'dispatch' };
  const layouts: Record<Case['layout'], HandoffSpanModel[]> = {
    'one span': [{ ...shared, ...consumer, role: 'destination', sourceStage, payloadStage }],
    'two spans': [
      { ...shared, ...dispatch, sourceStage, payloadStage },
      { ...shared, ...consumer, role: 'ingest' },
    ],
    'three spans': [
      { ...shared, role: 'dispatch', sourceStage, payloadStage },
      { ...shared, ...consumer, role: 'ingest' },
      { ...shared, ...consumer, role: 'destination', sourceStage, payloadStage },
    ],
  };
  const spans = layouts[given.layout].map((model, index) => {
    const built = handoffSpan({ ...model, span: { traceId: given.traces[index] ?? '' } });
    if (!given.roleless) return built;
    const attributes = [...(built.attributes as Iterable<[string, never]>)].filter(
      ([key]) => key !== 'seamtrace.handoff.role',
    );
    return { ...built, attributes };
  });
  return given.repeat ? [...spans, ...spans] : spans;
}

/** A deterministic shuffle, so that a failure repeats. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item, index) => ({ item, rank: (index * 7919 + 104_729) % 1_000_003 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

describe('seamtrace grade against the reference order', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-grade-'));
  const given = fc.sample(cases, { numRuns: HANDOFFS, seed: 20_261_130 });
  const spans = shuffled(given.flatMap((one, index) => spansOf(one, `h-${String(index).padStart(5, '0')}`)));
  const requests = chunks(spans, 500).map((part) => traceRequest(part));
  const file = (name: string): string => path.join(folder, name);

  beforeAll(() => {
    writeFileSync(file('contracts.yaml'), contracts);
    writeFileSync(file('lines.jsonl'), requests.map((request) => `${encodeJson(request)}\n`).join(''));
    writeFileSync(file('lines.jsonl.gz'), gzipSync(requests.map((request) => `${encodeJson(request)}\n`).join('')));
    requests.forEach((request, index) => {
      writeFileSync(file(`part-${index}.pb`), encodeProtobuf(request));
      writeFileSync(file(`part-${index}.pb.gz`), gzipSync(encodeProtobuf(request)));
      writeFileSync(file(`part-${index}.json`), encodeJson(request));
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['JSON lines', () => ['lines.jsonl']],
    ['JSON lines, gzip', () => ['lines.jsonl.gz']],
    ['protobuf files', () => requests.map((_, index) => `part-${index}.pb`)],
    [
      'protobuf and JSON, gzip or not, in another order',
      () => requests.map((_, index) => `part-${index}${['.pb', '.pb.gz', '.json'][index % 3]}`).reverse(),
    ],
  ])('equals it on %s', (_, names) => {
    const args = [cli, 'grade', ...names().map(file), '--format', 'json', '--contracts', file('contracts.yaml')];
    const run = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28, cwd: folder });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
    const graded = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map((line) => ({
        id: line['handoff_id'],
        verdict: line['verdict'],
        boundary: line['boundary'],
        missing: line['missing_keys'],
      }));
    const expected = given.map((one, index) => ({ id: `h-${String(index).padStart(5, '0')}`, ...referenceGrade(one) }));
    expect(graded).toEqual(expected);
  });
});
