import { types } from 'node:util';
import { memberOf } from '../../hooks/own-data.js';
import type { InvocationContextLike } from './internal-types.js';

const readAborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')?.get;

/** Whether the application called the invocation off, by a signal of the platform's own kind. */
export function isAborted(context: InvocationContextLike): boolean {
  const { value } = memberOf(context, 'abortSignal');
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  try {
    return readAborted?.call(value) === true;
  } catch {
    return false;
  }
}
