import { expect, it } from 'vitest';
import { createTurns } from './turns.js';

it('gives a turn to everything else after long work only', async () => {
  let now = 0;
  const turns = createTurns(() => now);
  now = 19;
  expect(turns.due()).toBeUndefined();
  now = 20;
  const order: string[] = [];
  setImmediate(() => void order.push('another'));
  await turns.due();
  order.push('work');
  expect(order).toEqual(['another', 'work']);
  expect(turns.due()).toBeUndefined();
});
