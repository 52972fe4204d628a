import { logContext } from './log-context.js';

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const;

/**
 * A console that ends each line of `debug`, `error`, `info`, `log` and `warn` with {@link logContext}, as `name=value`. All
 * else is the given console's, which itself stays as it is: only what is written through the new one has the ids.
 *
 * A line outside of every run is written unchanged.
 */
export function consoleWithLogContext(original: Console): Console {
  const wrapped = Object.create(original) as Console;
  for (const method of METHODS) {
    const write = (...args: unknown[]): void => {
      const ids = Object.entries(logContext()).map(([name, value]) => `${name}=${String(value)}`);
      original[method](...args, ...ids);
    };
    Object.defineProperty(wrapped, method, { value: write, writable: true, enumerable: true, configurable: true });
  }
  return wrapped;
}
