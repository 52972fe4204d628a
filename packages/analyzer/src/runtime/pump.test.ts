import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPump } from './pump.js';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Something that is due at each of some times. */
function ticking(...times: number[]) {
  const ticks: number[] = [];
  return {
    ticks,
    times,
    tick() {
      ticks.push(Date.now());
      while (times[0] !== undefined && times[0] <= Date.now()) times.shift();
    },
    next: () => times[0],
  };
}

it('ticks when something is due, and sleeps in between', () => {
  const pipeline = ticking(100, 250);
  const pump = createPump(pipeline, Date.now, () => {});
  pump.wake();
  vi.advanceTimersByTime(99);
  expect(pipeline.ticks).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(pipeline.ticks).toEqual([100, 250]);
  expect(vi.getTimerCount()).toBe(0);
});

it('wakes earlier for something that has come in meanwhile', () => {
  const pipeline = ticking(500);
  const pump = createPump(pipeline, Date.now, () => {});
  pump.wake();
  pipeline.times.unshift(50);
  pump.wake();
  vi.advanceTimersByTime(50);
  expect(pipeline.ticks).toEqual([50]);
});

it('sleeps through a time that no timer can hold', () => {
  const pipeline = ticking(2 ** 40);
  createPump(pipeline, Date.now, () => {}).wake();
  vi.advanceTimersByTime(60_000);
  expect(pipeline.ticks).toEqual([60_000]);
});

it('goes on after a tick that failed, and not after it was stopped', () => {
  const pipeline = ticking(10, 20);
  const failures: unknown[] = [];
  const failing = {
    next: pipeline.next,
    tick() {
      pipeline.tick();
      throw new Error('broken');
    },
  };
  const pump = createPump(failing, Date.now, (error) => failures.push(error));
  pump.wake();
  vi.advanceTimersByTime(10);
  expect(failures).toHaveLength(1);
  pump.stop();
  pump.wake();
  vi.advanceTimersByTime(1000);
  expect(failures).toHaveLength(1);
});
