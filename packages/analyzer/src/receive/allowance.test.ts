import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAllowance } from './allowance.js';

test('holds up to the limit, gives back once, and never refuses a request that is alone', () => {
  const allowance = createAllowance(10_000);
  const first = allowance.open();
  const second = allowance.open();
  expect(first.hold(50_000)).toBe(true);
  expect(second.hold(0)).toBe(false);
  first.close();
  first.close();
  expect(allowance.heldBytes).toBe(0);
  expect(second.hold(1000)).toBe(true);
  expect(first.hold(1000)).toBe(false);
});

test('asks whom it refuses to wait as long as the oldest in flight has, within bounds', () => {
  let now = 0;
  const allowance = createAllowance(10_000, () => now);
  expect(allowance.retryAfterSeconds()).toBe(1);
  const [first, second] = [allowance.open(), allowance.open()];
  first.hold(0);
  now = 4_000;
  second.hold(0);
  now = 6_500;
  expect(allowance.retryAfterSeconds()).toBe(7);
  first.hold(1);
  expect(allowance.retryAfterSeconds()).toBe(7);
  first.close();
  expect(allowance.retryAfterSeconds()).toBe(3);
  now = 600_000;
  expect(allowance.retryAfterSeconds()).toBe(30);
  second.close();
  expect(allowance.retryAfterSeconds()).toBe(1);
});

test('never holds more than the limit by several requests, and is empty when all are closed', () => {
  const step = fc.tuple(fc.nat({ max: 5 }), fc.oneof(fc.nat({ max: 6000 }), fc.constant('close' as const)));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const allowance = createAllowance(20_000);
      const accounts = Array.from({ length: 6 }, () => allowance.open());
      const held = accounts.map(() => 0);
      for (const [at, what] of steps) {
        const others = held.filter((bytes, other) => other !== at && bytes > 0).length;
        if (what === 'close') {
          accounts[at]?.close();
          held[at] = 0;
        } else if (accounts[at]?.hold(what)) {
          held[at] = (held[at] as number) + what + (held[at] === 0 ? 4096 : 0);
          if (others > 0) expect(allowance.heldBytes).toBeLessThanOrEqual(20_000);
        }
        expect(allowance.heldBytes).toBe(held.reduce((sum, bytes) => sum + bytes, 0));
      }
      for (const account of accounts) account.close();
      expect(allowance.heldBytes).toBe(0);
    }),
  );
});
