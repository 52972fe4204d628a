import fc from 'fast-check';
import { createContracts } from '@seamtrace/contracts';
import { describe, expect, it } from 'vitest';
import { type Evidence, createLedger } from '../src/index.js';
import { type ReferenceRow, referenceGrade } from './reference.js';
import { type Attributes, type StageName, evidenceOf, span, stage } from './spans.js';

const KEYS = ['customer_id', 'invoice_id', 'locale', 'order.id', 'k1', 'k10'];
const AGENTS = ['triage', 'billing', 'support', 'billing2'];

const contracts = createContracts({
  version: 1,
  agents: Object.fromEntries(AGENTS.map((name) => [name, {}])),
  routes: {},
});

const keySet = fc.subarray(KEYS);
const row: fc.Arbitrary<ReferenceRow> = fc.record({
  expectedTo: fc.constantFrom(...AGENTS.slice(1)),
  observedTo: fc.constantFrom(...AGENTS.slice(1)),
  required: keySet,
  source: keySet,
  payload: keySet,
  destination: keySet,
  sourceComplete: fc.boolean(),
  payloadComplete: fc.boolean(),
  destinationComplete: fc.boolean(),
});

/** Everything that spans state about a row, in parts that may be put on different spans. */
function partsOf(id: string, given: ReferenceRow): Attributes[] {
  const contract = {
    'seamtrace.contract.version': '2',
    'seamtrace.contract.required_keys': given.required,
    'seamtrace.contract.permitted_keys': KEYS,
  };
  const part = (name: StageName, keys: readonly string[], complete: boolean): Attributes => ({
    'seamtrace.handoff.id': id,
    'seamtrace.handoff.source.name': 'triage',
    'seamtrace.handoff.target.name': given.expectedTo,
    ...contract,
    ...stage(name, keys, complete),
  });
  return [
    { ...part('source', given.source, given.sourceComplete), 'seamtrace.handoff.role': 'dispatch' },
    { ...part('payload', given.payload, given.payloadComplete), 'seamtrace.handoff.role': 'dispatch' },
    {
      ...part('destination', given.destination, given.destinationComplete),
      'seamtrace.handoff.role': 'ingest',
      'seamtrace.handoff.destination.name': given.observedTo,
    },
  ];
}

/** Spans of a row: one whole destination span, or the parts spread over traces. */
function spansOf(id: string, given: ReferenceRow, together: boolean, traces: readonly string[]) {
  const parts = partsOf(id, given);
  if (together) {
    const whole = Object.assign({}, ...parts, { 'seamtrace.handoff.role': 'destination' }) as Attributes;
    return [span(whole)];
  }
  return parts.map((attributes, index) => span(attributes, { traceId: traces[index] ?? 'b'.repeat(32) }));
}

const traceId = fc.constantFrom('a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32));
const handoff = fc.record({ row, together: fc.boolean(), traces: fc.array(traceId, { minLength: 3, maxLength: 3 }) });

describe('grading against the reference order', () => {
  it('equals it on random rows, in any split, order and repetition of spans', () => {
    fc.assert(
      fc.property(fc.array(handoff, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat()), (handoffs, nats) => {
        const evidence = handoffs.flatMap(({ row: given, together, traces }, index) =>
          evidenceOf(spansOf(`h-${index}-x`, given, together, traces)),
        );
        const order = shuffle([...evidence, ...evidence.slice(0, 3)], nats);
        const ledger = createLedger({ contracts });
        for (const piece of order) ledger.add(piece);
        const graded = ledger.grade();
        expect(graded.map((grade) => [grade.verdict, grade.boundary, grade.missing_keys])).toEqual(
          handoffs.map(({ row: given }) => {
            const expected = referenceGrade(given);
            return [expected.verdict, expected.boundary, expected.missing];
          }),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

function shuffle(pieces: Evidence[], nats: Iterator<number>): Evidence[] {
  for (let index = pieces.length - 1; index > 0; index -= 1) {
    const other = (nats.next().value as number) % (index + 1);
    [pieces[index], pieces[other]] = [pieces[other] as Evidence, pieces[index] as Evidence];
  }
  return pieces;
}
