import { errorTypeOf } from '../../hooks/error-type.js';
import { memberOf, ownData } from '../../hooks/own-data.js';
import { guarded } from '../../runtime/report.js';
import type { DelayedPromiseLike } from './internal-types.js';

/**
 * Tells when a streamed call is over. The stream is not touched: the SDK settles the sum of the used tokens as the last
 * thing of every stream, and the object by which it does so is the call's own. Returns false where there is none.
 */
export function whenStreamEnds(result: unknown, ended: (errorType: string | undefined) => void): boolean {
  const delayed = ownData(result, '_totalUsage');
  const resolve = memberOf(delayed, 'resolve').value;
  const reject = memberOf(delayed, 'reject').value;
  if (typeof delayed !== 'object' || delayed === null) return false;
  if (typeof resolve !== 'function' || typeof reject !== 'function') return false;
  const settle = (original: (...args: unknown[]) => unknown, errorType: (value: unknown) => string | undefined) =>
    function settled(this: unknown, ...args: unknown[]): unknown {
      guarded('the end of a stream', () => ended(errorType(args[0])), undefined);
      return Reflect.apply(original, delayed, args);
    };
  const own = delayed as DelayedPromiseLike;
  own.resolve = settle(resolve as never, () => undefined);
  own.reject = settle(reject as never, errorTypeOf);
  return true;
}
