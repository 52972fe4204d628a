/** A value as it stands in a message. Not for what may be a secret. */
export function describe(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
