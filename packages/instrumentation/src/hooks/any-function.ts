/** A method as it is found on a prototype: nothing is known of it but that it can be called. */
export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
