import { describe, expect, test } from 'vitest';
import { followGenerator, type GeneratorFlow } from './follow-generator.js';

function recorded(over: Partial<GeneratorFlow> = {}): { readonly log: unknown[]; readonly flow: GeneratorFlow } {
  const log: unknown[] = [];
  const flow: GeneratorFlow = {
    enter: () => {
      log.push('enter');
      return (step) => step();
    },
    yielded: (value) => void log.push(['yielded', value]),
    left: (failed, returned) => void log.push(['left', failed?.error, returned]),
    ...over,
  };
  return { log, flow };
}

async function* counting(end?: () => never): AsyncGenerator<number, string> {
  yield 1;
  yield 2;
  end?.();
  return 'end';
}

describe('following a generator', () => {
  test('whoever holds it holds the same object and gets the same promises, values and end', async () => {
    const generator = counting();
    const promise = Promise.resolve({ done: false as const, value: 7 });
    const own = Object.create(generator, {
      next: { value: () => promise, configurable: true, writable: true },
    }) as typeof generator;
    const { flow } = recorded();
    followGenerator(own, flow);
    expect(own.next()).toBe(promise);

    const { log, flow: other } = recorded();
    followGenerator(generator, other);
    expect(log).toEqual([]);
    const seen: number[] = [];
    for await (const each of generator) seen.push(each);
    expect(seen).toEqual([1, 2]);
    expect(log).toEqual(['enter', ['yielded', 1], ['yielded', 2], ['left', undefined, 'end']]);
    expect(Object.keys(generator)).toEqual([]);
    expect([generator.next.name, generator.next.length]).toEqual(['next', 1]);
  });

  test('an error is told and stays what it is', async () => {
    const error = new TypeError('broken');
    const generator = counting(() => {
      throw error;
    });
    const { log, flow } = recorded();
    followGenerator(generator, flow);
    await generator.next();
    await generator.next();
    await expect(generator.next()).rejects.toBe(error);
    expect(log.at(-1)).toEqual(['left', error, undefined]);
    expect(await generator.next()).toEqual({ done: true, value: undefined });
    expect(log).toHaveLength(4);
  });

  test('a reader that stops is an end, once', async () => {
    const { log, flow } = recorded();
    const generator = counting();
    followGenerator(generator, flow);
    for await (const each of generator) if (each === 1) break;
    expect(log).toEqual(['enter', ['yielded', 1], ['left', undefined, undefined]]);
  });

  test('a flow that refuses keeps the generator from running', async () => {
    let ran = false;
    const generator = (async function* () {
      ran = true;
      yield await Promise.resolve(1);
    })();
    const refused = new Error('refused');
    followGenerator(
      generator,
      recorded({
        enter: () => {
          throw refused;
        },
      }).flow,
    );
    await expect(generator.next()).rejects.toBe(refused);
    expect(await generator.next()).toEqual({ done: true, value: undefined });
    expect(ran).toBe(false);
  });

  test('a generator that is closed before it begins, and one that is left alone, tell nothing', async () => {
    const { log, flow } = recorded();
    const closed = counting();
    followGenerator(closed, flow);
    await closed.return('early');
    const alone = counting();
    followGenerator(alone, { ...flow, enter: () => undefined });
    for await (const each of alone) void each;
    expect(log).toEqual([]);
    followGenerator(undefined, flow);
  });

  test('a flow that breaks breaks nothing', async () => {
    const broken = (): never => {
      throw new Error('ours');
    };
    const generator = counting();
    followGenerator(generator, recorded({ yielded: broken, left: broken }).flow);
    const seen: number[] = [];
    for await (const each of generator) seen.push(each);
    expect(seen).toEqual([1, 2]);
  });
});
