import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Place, createQueue } from './queue.js';

it('equals an array under pushes and removals from anywhere', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat({ max: 30 }), { nil: undefined }), { maxLength: 100 }), (steps) => {
      const queue = createQueue<number>();
      const places: Place<number>[] = [];
      let model: number[] = [];
      steps.forEach((remove, turn) => {
        if (remove === undefined) {
          places.push(queue.push(turn));
          model.push(turn);
        } else if (places.length > 0) {
          const place = places[remove % places.length]!;
          queue.remove(place);
          model = model.filter((value) => value !== place.value);
        }
        expect([...queue.values()]).toEqual(model);
        expect(queue.first()).toBe(model[0]);
        expect(queue.size).toBe(model.length);
      });
    }),
  );
});
