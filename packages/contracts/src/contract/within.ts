/**
 * Whether a key path is another one or lies below it: `order.id` and `order[]` are within `order`, `order_id` is not.
 * Both are well-formed, so their spelling decides.
 */
export function isWithin(path: string, container: string): boolean {
  if (!path.startsWith(container)) return false;
  const next = path[container.length];
  return next === undefined || next === '.' || next === '[';
}
