/**
 * Orders strings by their UTF-8 bytes, the order of every key list on the wire (wire contract, section 3).
 * JavaScript's own `<` orders by UTF-16 units and differs from it beyond U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // Below the surrogates both orders agree; from there on the bytes decide.
    if (left < 0xd800 && right < 0xd800) return left - right;
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a.length - b.length;
}

/** The distinct names, sorted by UTF-8 bytes. Returns a new array; empty in, empty out. */
export function sortUnique(names: Iterable<string>): string[] {
  return [...new Set(names)].sort(compareUtf8);
}
