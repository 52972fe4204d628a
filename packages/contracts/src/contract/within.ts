/**
 * Whether a key path is another one or lies below it: `order.id` and `order[]` are within `order`, `order_id` is not.
 * Both are well-formed, so their spelling decides.
 */
export function isWithin(path: string, container: string): boolean {
  if (!path.startsWith(container)) return false;
  const next = path[container.length];
  return next === undefined || next === '.' || next === '[';
}

/** A path and every path that it lies within, longest first: `a[].b`, `a[]`, `a`. */
export function* containersOf(path: string): Generator<string> {
  yield path;
  for (let end = path.length - 1; end > 0; end -= 1) {
    const next = path[end];
    // A dot after a backslash belongs to a name; what stands before it is no path, and in no list.
    if ((next === '.' || next === '[') && path[end - 1] !== '\\') yield path.slice(0, end);
  }
}
