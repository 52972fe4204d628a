import { errorTypeOf } from './error-type.js';
import { describe, expect, test } from 'vitest';

describe('the type of what was thrown', () => {
  test('is the class of a real error, whatever is written onto it', () => {
    class CardDeclined extends Error {}
    expect(errorTypeOf(Object.assign(new CardDeclined('x'), { name: 'Jane Doe' }))).toBe('CardDeclined');
    expect(errorTypeOf(new TypeError('x'))).toBe('TypeError');
  });

  test('is _OTHER for a name that is no identifier, and for what is no error', () => {
    const odd = { 'Jane Doe 4711': class extends Error {} }['Jane Doe 4711'] as new () => Error;
    const bare = Object.assign(Object.create(null) as object, { name: 'x' });
    for (const thrown of [new odd(), { name: 'Jane' }, bare, 'Jane', 4711, null, undefined, () => 0])
      expect(errorTypeOf(thrown)).toBe('_OTHER');
  });

  test('is the name of a DOMException where the platform has that name', () => {
    expect(errorTypeOf(AbortSignal.abort().reason)).toBe('AbortError');
    expect(errorTypeOf(new DOMException('x', 'Jane Doe'))).toBe('_OTHER');
  });

  test('is that of the error that the SDK wrapped', () => {
    class ToolCallError extends Error {
      readonly error = new RangeError('x');
    }
    expect(errorTypeOf(new ToolCallError('x'))).toBe('RangeError');
  });

  test('runs no code of the thrown value', () => {
    const boom = (): never => expect.unreachable('code of the application ran');
    class Hostile extends Error {
      override get name(): string {
        return boom();
      }
      static override get name(): string {
        return boom();
      }
    }
    expect(errorTypeOf(new Hostile('x'))).toBe('_OTHER');
    expect(errorTypeOf(new Proxy(new Error('x'), { get: boom, getPrototypeOf: boom }))).toBe('_OTHER');
  });
});
