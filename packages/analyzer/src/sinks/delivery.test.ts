import { expect, it, vi } from 'vitest';
import { createDelivery } from './delivery.js';

it('is through when all of its sinks are and no more can come', () => {
  const through = vi.fn();
  const delivery = createDelivery(through);
  const [first, second] = [delivery.open(), delivery.open()];
  first();
  first();
  second();
  expect(through).not.toHaveBeenCalled();
  delivery.close();
  delivery.close();
  expect(through).toHaveBeenCalledOnce();
});

it('waits for a sink that is slower than the others', () => {
  const through = vi.fn();
  const delivery = createDelivery(through);
  const [first, second] = [delivery.open(), delivery.open()];
  delivery.close();
  first();
  expect(through).not.toHaveBeenCalled();
  second();
  expect(through).toHaveBeenCalledOnce();
});

it('is through at once without a sink', () => {
  const through = vi.fn();
  createDelivery(through).close();
  expect(through).toHaveBeenCalledOnce();
});
