import { describe, expect, test } from 'vitest';
import { callItems } from './call-items.js';
import { followCall, locateCall } from './handoff-call.js';

const call = (callId: string, name: string, args: string) => ({
  type: 'function_call',
  callId,
  name,
  arguments: args,
});
const ours = call('c1', 'transfer_to_billing', '{"invoice_id":"i"}');
const namesake = call('c1', 'transfer_to_billing', '{"invoice_id":"old"}');
const lookup = call('t1', 'look_up', '{}');

/** What became of the last call of `before` in `after`: its arguments, or that it is gone or not known. */
function fate(before: readonly object[], after: readonly object[]): unknown {
  const calls = callItems(before);
  const where = followCall(calls, calls.at(-1) as never, after);
  if (where.found !== undefined) return where.found.args;
  return where.known ? 'gone' : 'not known';
}

describe('a call followed through a filter', () => {
  test.each([
    ['itself', ours],
    ['a copy', { ...ours }],
    ['another id', { ...ours, callId: 'norm_1' }],
    ['another name', { ...ours, name: 'handoff' }],
    ['another id and name', { ...ours, callId: 'x', name: 'handoff' }],
  ])('%s: the arguments are there', (_, after) => {
    expect(fate([lookup, namesake, ours], [lookup, namesake, after])).toBe(ours.arguments);
    expect(fate([lookup, ours], [after])).toBe(ours.arguments);
  });

  test('rewritten arguments are what goes on, whether id or name changed too', () => {
    for (const change of [{}, { callId: 'x' }, { name: 'handoff' }])
      expect(fate([lookup, ours], [lookup, { ...ours, ...change, arguments: '{"a":1}' }])).toBe('{"a":1}');
  });

  test('another call with the same id that stays is not this one', () => {
    expect(fate([namesake, ours], [{ ...namesake }])).toBe('gone');
    expect(fate([namesake, ours], [{ ...ours }])).toBe(ours.arguments);
    expect(fate([lookup, ours], [{ ...lookup }])).toBe('gone');
    expect(fate([lookup, ours], [])).toBe('gone');
  });

  test('a choice that nothing decides is not known', () => {
    expect(fate([{ ...ours }, ours], [{ ...ours }])).toBe('not known');
    expect(fate([namesake, ours], [{ ...ours, arguments: '{"a":1}' }])).toBe('not known');
    expect(fate([ours], [call('k', 'ctx', '{}')])).toBe('not known');
    expect(
      fate(
        [ours],
        [
          { ...ours, arguments: '{}' },
          { ...ours, arguments: '{"a":1}' },
        ],
      ),
    ).toBe('not known');
  });
});

describe('a call located in what the SDK has put together', () => {
  const reference = { callId: 'c1', toolName: 'transfer_to_billing' };
  const located = (items: readonly object[]) => locateCall(items, reference, ours.arguments);

  test('is the last one with its arguments', () => {
    const last = { ...ours };
    expect(located([ours, lookup, last]).found?.item).toBe(last);
    expect(located([{ ...ours, callId: 'x' }]).found?.args).toBe(ours.arguments);
  });

  test('with other arguments it is not known, without a relative it is gone', () => {
    expect(located([namesake])).toEqual({ found: undefined, known: false });
    expect(located([lookup])).toEqual({ found: undefined, known: true });
  });
});
