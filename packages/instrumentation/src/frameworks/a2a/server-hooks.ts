import type { AnyFunction } from '../../hooks/any-function.js';
import { guarded } from '../../runtime/report.js';
import { followExecutor, published } from './run-flow.js';
import type { PatchedCopy } from './patch.js';

/** `DefaultRequestHandler.sendMessage` and `sendMessageStream`: the executor that they are about to run is followed. */
export function wrapHandle(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      if (copy.active) guarded('following an executor', () => followExecutor(copy, this), undefined);
      return original.apply(this, args);
    };
}

/** `DefaultExecutionEventBus.publish`: what an executor answers with. */
export function wrapPublish(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      if (copy.active) guarded('an event of an executor', () => published(this as object, args[0]), undefined);
      return original.apply(this, args);
    };
}
