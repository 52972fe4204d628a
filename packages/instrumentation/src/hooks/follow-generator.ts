import { isThenable, ownData } from './own-data.js';
import { guarded } from '../runtime/report.js';

/** What follows a generator through its life. */
export interface GeneratorFlow {
  /**
   * Called at the first `next()`, before anything of the generator runs. Returns how each step is run; `undefined` leaves
   * the generator alone from then on. Throwing keeps the generator from running at all.
   */
  enter(): (<T>(step: () => T) => T) | undefined;
  yielded(value: unknown): void;
  /** Once: it returned, was closed by whoever read it, or threw. */
  left(failed: { readonly error: unknown } | undefined, returned: unknown): void;
}

type Step = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Follows an async generator without standing in its place: whoever holds it holds the framework's own object, whose
 * `next`, `return` and `throw` are covered by own ones, and gets the very promises that it makes. Nothing is read ahead.
 */
export function followGenerator(generator: unknown, flow: GeneratorFlow): void {
  if (typeof generator !== 'object' || generator === null) return;
  const target = generator as Record<'next' | 'return' | 'throw', Step>;
  let inside: (<T>(step: () => T) => T) | undefined;
  let begun = false;
  let over = false;
  const leave = (failed: { readonly error: unknown } | undefined, returned?: unknown): void => {
    if (over || inside === undefined) return;
    over = true;
    guarded('the end of an agent', () => flow.left(failed, returned), undefined);
  };
  const settled = (result: unknown): void => {
    if (ownData(result, 'done') === true) leave(undefined, ownData(result, 'value'));
    else if (!over) guarded('an event of an agent', () => flow.yielded(ownData(result, 'value')), undefined);
  };
  const observe = (result: unknown): unknown => {
    // Whoever reads a generator handles its rejections; a promise of our own in between would change the order of things.
    if (isThenable(result)) void Promise.prototype.then.call(result, settled, (error: unknown) => leave({ error }));
    return result;
  };
  const cover = (name: 'next' | 'return' | 'throw'): void => {
    const original = target[name];
    if (typeof original !== 'function') return;
    const covering = function (this: unknown, ...args: unknown[]): unknown {
      if (!begun) {
        begun = true;
        if (name === 'next') {
          try {
            inside = flow.enter();
          } catch (error) {
            // A generator that has not begun is closed by this without running.
            void target.return.call(this, undefined);
            return Promise.reject(error as Error);
          }
        }
      }
      return inside === undefined || over
        ? original.apply(this, args)
        : observe(inside(() => original.apply(this, args)));
    };
    Object.defineProperty(covering, 'name', { value: name, configurable: true });
    Object.defineProperty(covering, 'length', { value: original.length, configurable: true });
    Object.defineProperty(target, name, { value: covering, writable: true, configurable: true, enumerable: false });
  };
  cover('next');
  cover('return');
  cover('throw');
}
