/** A JSON-like record that this package builds itself. */
export type PlainRecord = Record<string, unknown>;

/** Sets an own member, also where plain assignment would change the prototype (`__proto__`). */
export function setMember(record: PlainRecord, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  } else record[name] = value;
}
