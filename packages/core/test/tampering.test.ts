import fc from 'fast-check';
import { createContracts } from '@seamtrace/contracts';
import { describe, expect, it } from 'vitest';
import { type AttributeValue, type DecodedSpan, createLedger, extractEvidence } from '../src/index.js';
import { type Attributes, passing, span } from './spans.js';

const contracts = createContracts({
  version: 1,
  agents: { triage: {}, billing: {}, support: {} },
  routes: {
    triage_to_billing: {
      from: 'triage',
      to: 'billing',
      versions: { 2: { required: ['customer_id', 'invoice_id'], permitted: ['customer_id', 'invoice_id', 'locale'] } },
    },
  },
});

const ACCUSATIONS = ['routing_mismatch', 'upstream_context_missing', 'packaging_loss', 'ingestion_loss'];
const MASKS = [
  '***',
  'XXXX',
  '[REDACTED]',
  '<masked>',
  '••••',
  '',
  'xxxx-1234',
  '****1234',
  '<PERSON>',
  'b*****g',
  'cust...',
];

/** The passing handoff on one span, and spread over three. */
function layouts(): DecodedSpan[][] {
  const whole = passing();
  const only = (stages: readonly string[]): Attributes =>
    Object.fromEntries(
      Object.entries(whole).filter(([key]) => {
        const named = /^seamtrace\.(source|payload|destination)\.(?!name|role)/.exec(key);
        return named === null || stages.includes(named[1] ?? '');
      }),
    );
  const dispatch = {
    ...only(['source', 'payload']),
    'seamtrace.handoff.role': 'dispatch',
    'gen_ai.operation.name': null,
  };
  delete (dispatch as Record<string, unknown>)['seamtrace.handoff.destination.name'];
  const ingest = { ...only(['destination']), 'seamtrace.handoff.role': 'ingest', 'gen_ai.operation.name': null };
  return [[span(whole)], [span(dispatch), span(ingest), span(whole)], [span(dispatch), span(ingest)]];
}

const tamper: fc.Arbitrary<(value: AttributeValue) => AttributeValue | undefined> = fc.oneof(
  fc.constant(() => undefined),
  fc
    .constantFrom(...MASKS)
    .map((mask) => (value: AttributeValue) => (Array.isArray(value) ? value.map(() => mask) : mask)),
  fc.nat(12).map((length) => (value: AttributeValue) => shorten(value, length)),
  fc.nat(2).map((count) => (value: AttributeValue) => (Array.isArray(value) ? value.slice(0, count) : value)),
  fc
    .constantFrom<AttributeValue>(0n, 1n, 7n, 1.5, true, false, null, 'x', [], ['x'], new Uint8Array(2), new Map())
    .map((other) => () => other),
  fc.constant((value: AttributeValue) => (Array.isArray(value) ? JSON.stringify(value) : String(value as string))),
);

function shorten(value: AttributeValue, length: number): AttributeValue {
  if (typeof value === 'string') return value.slice(0, length);
  if (Array.isArray(value)) return (value as readonly AttributeValue[]).map((element) => shorten(element, length));
  return value;
}

function verdicts(spans: readonly DecodedSpan[], withFile: boolean): string[] {
  const ledger = createLedger({ contracts: withFile ? contracts : undefined });
  for (const one of spans) {
    const result = extractEvidence(one);
    if (result.ok && result.evidence !== undefined) ledger.add(result.evidence);
  }
  return ledger.grade().map((grade) => grade.verdict);
}

describe('tampering with a passing record', () => {
  it('passes untouched, with and without a contract file', () => {
    for (const spans of layouts()) {
      expect(verdicts(spans, true)).toEqual(['passed']);
      expect(verdicts(spans, false)).toEqual(['passed']);
    }
  });

  it('never yields a loss or a mismatch, whichever attribute is dropped, shortened, masked or retyped', () => {
    fc.assert(
      fc.property(
        fc.nat(2),
        fc.nat(2),
        fc.nat(40),
        tamper,
        fc.boolean(),
        (layout, which, attribute, change, withFile) => {
          const spans = layouts()[layout] as DecodedSpan[];
          const index = which % spans.length;
          const victim = spans[index] as DecodedSpan;
          const attributes = new Map(victim.attributes);
          const key = [...attributes.keys()][attribute % attributes.size] as string;
          const changed = change(attributes.get(key) as AttributeValue);
          if (changed === undefined) attributes.delete(key);
          else attributes.set(key, changed);
          const tampered = spans.map((one, position) => (position === index ? { ...victim, attributes } : one));
          const found = verdicts(tampered, withFile).filter((verdict) => ACCUSATIONS.includes(verdict));
          expect(
            found,
            `${key} → ${JSON.stringify(changed, (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v))}`,
          ).toEqual([]);
        },
      ),
      { numRuns: 10_000 },
    );
  }, 120_000);

  it('never yields one when every value of a span is cut at one length, as an attribute limit does', () => {
    for (const spans of layouts()) {
      for (let length = 0; length < 20; length += 1) {
        for (let index = 0; index < spans.length; index += 1) {
          const cut = spans.map((one, position) => {
            if (position !== index) return one;
            const attributes = new Map([...one.attributes].map(([key, value]) => [key, shorten(value, length)]));
            return { ...one, attributes };
          });
          const found = verdicts(cut, false).filter((verdict) => ACCUSATIONS.includes(verdict));
          expect(found, `length ${length}, span ${index}`).toEqual([]);
        }
      }
    }
  });
});
