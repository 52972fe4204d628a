/**
 * `error.type` of what was thrown: the name of its class, never its message. Errors of the SDK that only wrap another one
 * name that other one.
 */
export function errorTypeOf(error: unknown): string {
  const inner = wrappedError(error);
  if (inner !== undefined) return errorTypeOf(inner);
  if (error instanceof Error || isErrorLike(error)) {
    // A DOMException of an aborted signal says AbortError in its name only.
    const { name } = error;
    const type = error.constructor?.name;
    if (type === 'DOMException' || type === undefined || type === '' || type === 'Object') return name || 'Error';
    return type;
  }
  return typeof error;
}

function wrappedError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || error.constructor?.name !== 'ToolCallError') return undefined;
  return (error as { error?: unknown }).error;
}

function isErrorLike(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && typeof (value as { name?: unknown }).name === 'string';
}
