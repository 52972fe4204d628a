import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTerms } from '../handoff/terms.js';
import { captureContents } from './contents.js';
import { sameAgent } from './same-agent.js';

const terms = createTerms({ version: '1', required: ['a', 'b'], nullable: [], integrity: [] });

describe('what a message holds', () => {
  it('is the union of its records, complete where nothing else is in it', () => {
    const { capture, channel } = captureContents({ records: [{ a: 1 }, '{"c":1}'], opaque: false }, terms, undefined);
    expect(capture.keys).toMatchObject({ keys: ['a', 'c'], complete: true, keyCount: 2 });
    expect(channel).toBe('envelope');
  });

  it('proves nothing missing beside prose, and all that is required where it is there', () => {
    const beside = (record: object) =>
      captureContents({ records: [record], opaque: true }, terms, undefined).capture.keys;
    expect(beside({ a: 1 })).toMatchObject({ keys: ['a'], complete: false, incompleteReason: 'unsupported' });
    expect(beside({ a: 1, b: 1 })).toMatchObject({ keys: ['a', 'b'], complete: true });
  });

  it('is text where there is no record, and empty where there is nothing', () => {
    const text = captureContents({ records: [], opaque: true }, terms, undefined);
    expect([text.channel, text.capture.keys.complete, text.capture.keys.incompleteReason]).toEqual([
      'text',
      false,
      'unsupported',
    ]);
    const nothing = captureContents({ records: [], opaque: false }, terms, undefined);
    expect([nothing.channel, nothing.capture.keys.complete, nothing.capture.keys.keyCount]).toEqual([
      'envelope',
      true,
      0,
    ]);
  });

  it('is never called complete where a required key may stand in prose', () => {
    const record = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer());
    fc.assert(
      fc.property(fc.array(record, { maxLength: 4 }), fc.boolean(), (records, opaque) => {
        const { keys } = captureContents({ records, opaque }, terms, undefined).capture;
        const seen = new Set(records.flatMap((each) => Object.keys(each)));
        const whole = seen.has('a') && seen.has('b');
        expect(keys.complete).toBe(!opaque || whole);
        if (records.length > 0) expect(keys.keys).toEqual([...seen].sort());
      }),
    );
  });
});

it('takes two names for one agent as grading does', () => {
  expect(sameAgent('Billing Agent', 'billing_agent', undefined)).toBe(true);
  expect(sameAgent('billing', 'billing2', undefined)).toBe(false);
  expect(sameAgent('Straße', 'STRASSE', undefined)).toBe(true);
  expect(sameAgent('—', '–', undefined)).toBe(false);
});
