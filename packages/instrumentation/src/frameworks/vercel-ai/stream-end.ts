import type { AnyFunction } from '../../hooks/any-function.js';
import { memberOf, ownData } from '../../hooks/own-data.js';
import { guarded } from '../../runtime/report.js';
import type { Follower } from '../../hooks/follow-call.js';
import type { DelayedPromiseLike } from './internal-types.js';

/**
 * Tells when a streamed call is over. The stream is not touched: the SDK settles the list of the steps at the end of every
 * stream, and the object by which it does so is the call's own. Returns false where there is none.
 */
export function whenStreamEnds(result: unknown, { done, failed }: Follower): boolean {
  const delayed = ownData(result, '_steps');
  const resolve = memberOf(delayed, 'resolve').value;
  const reject = memberOf(delayed, 'reject').value;
  if (typeof delayed !== 'object' || delayed === null) return false;
  if (typeof resolve !== 'function' || typeof reject !== 'function') return false;
  const settle = (original: unknown, tell: (value: unknown) => void) =>
    function settled(this: unknown, ...args: unknown[]): unknown {
      guarded('the end of a stream', () => tell(args[0]), undefined);
      return Reflect.apply(original as AnyFunction, delayed, args);
    };
  const own = delayed as DelayedPromiseLike;
  own.resolve = settle(resolve, done);
  own.reject = settle(reject, failed);
  return true;
}
