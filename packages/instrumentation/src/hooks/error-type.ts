import { types } from 'node:util';
import { memberOf, ownData } from './own-data.js';

/** What OpenTelemetry's conventions give for an error that has no known class. */
export const OTHER_ERROR = '_OTHER';

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,63}$/;
const readDomName = Object.getOwnPropertyDescriptor(DOMException.prototype, 'name')?.get;
const DOM_NAMES: ReadonlySet<string> = new Set([
  'AbortError',
  'DataCloneError',
  'EncodingError',
  'InvalidAccessError',
  'InvalidCharacterError',
  'InvalidStateError',
  'NetworkError',
  'NotAllowedError',
  'NotFoundError',
  'NotReadableError',
  'NotSupportedError',
  'OperationError',
  'QuotaExceededError',
  'SecurityError',
  'SyntaxError',
  'TimeoutError',
  'UnknownError',
]);

/**
 * `error.type` of what was thrown: the name of its class, never its message and never a name that was written onto the
 * value, which may hold anything. Errors of the SDK that only wrap another one name that other one. Whatever is no error
 * is `_OTHER`. Runs no accessor of the value and no trap of a Proxy.
 */
export function errorTypeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || types.isProxy(error)) return OTHER_ERROR;
  const domName = domExceptionName(error);
  if (domName !== undefined) return DOM_NAMES.has(domName) ? domName : OTHER_ERROR;
  if (!types.isNativeError(error)) return OTHER_ERROR;
  const type = className(error);
  const inner = type === 'ToolCallError' ? ownData(error, 'error') : undefined;
  if (inner !== undefined && inner !== error) return errorTypeOf(inner);
  return type ?? OTHER_ERROR;
}

function className(error: object): string | undefined {
  const { value: constructor } = memberOf(error, 'constructor');
  const { value: name } = memberOf(constructor, 'name');
  return typeof constructor === 'function' && typeof name === 'string' && IDENTIFIER.test(name) ? name : undefined;
}

/** The platform's own accessor, which takes nothing but a real DOMException. */
function domExceptionName(error: object): string | undefined {
  try {
    return readDomName?.call(error) as string | undefined;
  } catch {
    return undefined;
  }
}
