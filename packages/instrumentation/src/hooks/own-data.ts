import { types } from 'node:util';

/**
 * The own data member of an object, or `undefined`. Reads no accessor and no Proxy, so that looking at what passes
 * through the SDK runs no code of the application's.
 */
export function ownData(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return undefined;
  const member = Object.getOwnPropertyDescriptor(value, name);
  return member !== undefined && 'value' in member ? member.value : undefined;
}

/** A member, own or inherited; `readable` is false where finding out would run code of the application's. */
export interface Member {
  readonly readable: boolean;
  readonly value: unknown;
}

const ABSENT: Member = Object.freeze({ readable: true, value: undefined });
const UNREADABLE: Member = Object.freeze({ readable: false, value: undefined });

/** Looks a member up along the prototypes, as a read would, and stops at accessors and Proxies. */
export function memberOf(value: unknown, name: string): Member {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return ABSENT;
  for (let holder: object | null = value; holder !== null; holder = Object.getPrototypeOf(holder) as object | null) {
    if (types.isProxy(holder)) return UNREADABLE;
    const member = Object.getOwnPropertyDescriptor(holder, name);
    if (member !== undefined) return 'value' in member ? { readable: true, value: member.value } : UNREADABLE;
  }
  return ABSENT;
}

/** Whether it is a promise, or has a method `then` that can be seen without reading an accessor. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return types.isPromise(value) || typeof memberOf(value, 'then').value === 'function';
}

/** The elements of a list, or none. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) && !types.isProxy(value) ? value : [];
}

/** A non-empty text, or `undefined`. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
