import { type Fault, pointerTo } from './fault.js';
import { type Entry, MAX_DEPTH, type Tree } from './tree.js';

/** A plain object as a tree. Members that are `undefined` are taken as not written. */
export function plainTree(value: unknown, faults: Fault[], pointer = '', depth = 0): Tree {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { kind: 'scalar', offset: -1, value, text: String(value) };
  }
  if (typeof value !== 'object' || depth > MAX_DEPTH) {
    const message =
      depth > MAX_DEPTH ? `nested deeper than ${MAX_DEPTH} levels` : `a ${typeof value} has no place here`;
    faults.push({ kind: 'text', offset: -1, pointer, message });
    return { kind: 'scalar', offset: -1, value: null, text: '' };
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => plainTree(item, faults, pointerTo(pointer, index), depth + 1));
    return { kind: 'list', offset: -1, items };
  }
  const entries = new Map<string, Entry>();
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    entries.set(key, { keyOffset: -1, value: plainTree(member, faults, pointerTo(pointer, key), depth + 1) });
  }
  return { kind: 'map', offset: -1, entries };
}
