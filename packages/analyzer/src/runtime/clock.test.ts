import { expect, it } from 'vitest';
import { createClock } from './clock.js';

function setUp() {
  const system = { wall: 1_000_000, monotonic: 50 };
  const clock = createClock(
    () => system.wall,
    () => system.monotonic,
  );
  return { system, clock };
}

it('goes on at its own pace when the system clock is set back', () => {
  const { system, clock } = setUp();
  system.wall -= 3_600_000;
  system.monotonic += 2_000.75;
  expect(clock()).toBe(1_002_000);
  system.monotonic += 1_000.5;
  expect(clock()).toBe(1_003_001);
});

it('follows a system clock that is set forward, such as after the machine slept', () => {
  const { system, clock } = setUp();
  system.wall += 60_000;
  expect(clock()).toBe(1_060_000);
});
