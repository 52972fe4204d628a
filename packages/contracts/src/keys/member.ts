import { types } from 'node:util';

/** What a container holds under a name. `opaque`: it cannot be known without running code of the user's. */
export type Member =
  { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'absent' } | { readonly kind: 'opaque' };

const ABSENT: Member = Object.freeze({ kind: 'absent' });
const OPAQUE: Member = Object.freeze({ kind: 'opaque' });

// Taken once: a subclass of Map may override these, and its overrides are user code.
const { get: mapGet, has: mapHas } = Map.prototype;

// Every object inherits these, so they say nothing about a state that uses one of them as a key.
const INHERITED_BY_ALL = new Set([
  'constructor',
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);
const MAX_PROTOTYPES = 32;

type Inherited = 'nothing' | 'something';

/** Looks for a name on the prototype chain, without reading it. A Proxy in the chain counts as something. */
function inherited(container: object, name: string): Inherited {
  let prototype: object | null = Object.getPrototypeOf(container);
  for (let depth = 0; prototype !== null; depth += 1) {
    if (types.isProxy(prototype) || depth >= MAX_PROTOTYPES) return 'something';
    const next: object | null = Object.getPrototypeOf(prototype);
    const standard = name === 'constructor' || (next === null && INHERITED_BY_ALL.has(name));
    if (!standard && Object.getOwnPropertyDescriptor(prototype, name) !== undefined) return 'something';
    prototype = next;
  }
  return 'nothing';
}

/** Whether an object is a literal or has no prototype. Realm does not matter; a Proxy must be excluded before. */
function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  return !types.isProxy(prototype) && Object.getPrototypeOf(prototype) === null;
}

/**
 * Whether an instance of a class shows no member of its own, so that whatever it knows is behind its methods and
 * private fields. Its emptiness proves nothing, unlike that of a plain object.
 */
export function hidesMembers(value: object): boolean {
  return !isPlain(value) && !types.isMap(value) && Object.getOwnPropertyNames(value).length === 0;
}

/** Objects in which no member can be looked up by name at all. */
function isOpaque(value: object): boolean {
  return (
    typeof value === 'function' ||
    types.isProxy(value) ||
    types.isPromise(value) ||
    types.isModuleNamespaceObject(value) ||
    types.isExternal(value)
  );
}

function readEntry(map: Map<unknown, unknown>, name: string): Member {
  if (mapHas.call(map, name)) return { kind: 'value', value: mapGet.call(map, name) };
  const subclass = Object.getPrototypeOf(map) !== Map.prototype;
  return subclass || Object.getOwnPropertyDescriptor(map, name) !== undefined ? OPAQUE : ABSENT;
}

/**
 * Reads one member by name without running a getter, a Proxy trap, `toJSON` or any other code of the user's. Own data
 * members and Map entries are read; accessors and inherited members make the answer `opaque`.
 */
export function readMember(container: unknown, name: string): Member {
  // Text may hold the member in serialized form.
  if (typeof container === 'string') return /^\s*[[{]/.test(container) ? OPAQUE : ABSENT;
  if ((typeof container !== 'object' && typeof container !== 'function') || container === null) return ABSENT;
  if (isOpaque(container)) return OPAQUE;
  if (types.isMap(container)) return readEntry(container, name);
  const own = Object.getOwnPropertyDescriptor(container, name);
  if (own !== undefined) return 'value' in own ? { kind: 'value', value: own.value } : OPAQUE;
  if (inherited(container, name) === 'something' || hidesMembers(container)) return OPAQUE;
  // What toJSON would add, it adds when the object is sent; only running it could tell.
  const ownToJson = Object.getOwnPropertyDescriptor(container, 'toJSON') !== undefined;
  return ownToJson || inherited(container, 'toJSON') === 'something' ? OPAQUE : ABSENT;
}

/** What stands for the elements of a list: the list itself where they can be read one by one, else why not. */
export function readList(container: unknown): { readonly kind: 'list'; readonly list: readonly unknown[] } | Member {
  if (typeof container === 'string') return /^\s*\[/.test(container) ? OPAQUE : ABSENT;
  if ((typeof container !== 'object' && typeof container !== 'function') || container === null) return ABSENT;
  if (isOpaque(container)) return OPAQUE;
  if (Array.isArray(container)) return { kind: 'list', list: container };
  // Sets, typed arrays and iterable classes hold elements that only their own code hands out.
  return isPlain(container) && Object.getOwnPropertyDescriptor(container, 'toJSON') === undefined ? ABSENT : OPAQUE;
}

/** One element of a list by index, by the rules of {@link readMember}. A hole is absent. */
export function readElement(list: readonly unknown[], index: number): Member {
  const own = Object.getOwnPropertyDescriptor(list, index);
  if (own !== undefined) return 'value' in own ? { kind: 'value', value: own.value } : OPAQUE;
  return inherited(list, String(index)) === 'something' ? OPAQUE : ABSENT;
}
