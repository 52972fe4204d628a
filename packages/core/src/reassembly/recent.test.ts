import { expect, it } from 'vitest';
import { createRecentSet } from './recent.js';

it('never holds more than asked and always knows the newer half', () => {
  const set = createRecentSet(10);
  for (let turn = 0; turn < 1000; turn += 1) {
    set.add(`name ${turn}`);
    expect(set.size).toBeLessThanOrEqual(10);
    for (let back = 0; back < Math.min(5, turn + 1); back += 1) expect(set.has(`name ${turn - back}`)).toBe(true);
  }
  expect(set.has('name 0')).toBe(false);
});

it('keeps a name that is added again and again', () => {
  const set = createRecentSet(4);
  for (let turn = 0; turn < 100; turn += 1) {
    set.add('often');
    set.add(`once ${turn}`);
    expect(set.has('often')).toBe(true);
  }
});
