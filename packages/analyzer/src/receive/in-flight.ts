/** What has begun and not ended, for whoever must wait until nothing is left. */
export interface InFlight<T> {
  add(item: T): void;
  delete(item: T): void;
  /** Resolves when nothing is left, or after `timeoutMs`; at once where nothing was there. */
  quiet(timeoutMs: number): Promise<void>;
}

export function createInFlight<T>(): InFlight<T> {
  const items = new Set<T>();
  const waiting = new Set<() => void>();
  return {
    add: (item) => void items.add(item),
    delete(item) {
      items.delete(item);
      if (items.size === 0) for (const resolve of waiting) resolve();
    },
    quiet: (timeoutMs) =>
      new Promise((resolve) => {
        if (items.size === 0) return resolve();
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        waiting.add(done);
      }),
  };
}
