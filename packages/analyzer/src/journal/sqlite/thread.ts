import { Worker } from 'node:worker_threads';
import type { FromStore, StoreOptions, ToStore } from './messages.js';

export interface StoreThread {
  send(message: ToStore, transfer?: ArrayBuffer[]): void;
  /** Whether the process stays up for this thread's sake. */
  hold(held: boolean): void;
  /**
   * Ends the thread and closes its files. Only for a thread that is at rest: the library does not survive being cut off
   * within a call, and takes the process with it.
   */
  end(): Promise<unknown>;
}

export interface ThreadListener {
  readonly message: (message: FromStore) => void;
  /** The thread is gone, once, with what it died of; its files are closed. */
  readonly gone: (why: string) => void;
}

export type SpawnThread = (options: StoreOptions, listener: ThreadListener) => StoreThread;

// A thread runs what was compiled, also where this module itself runs from its TypeScript source, as in unit tests.
const compiled = import.meta.url.endsWith('.ts') ? '../../../dist/journal/sqlite/worker.js' : './worker.js';
const WORKER = new URL(compiled, import.meta.url);

export const spawnThread: SpawnThread = (options, { message, gone }) => {
  const worker = new Worker(WORKER, { workerData: options, name: 'seamtrace-journal' });
  let why: string | undefined;
  worker.on('message', message);
  worker.on('error', (error) => (why = error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => gone(why ?? `it ended with code ${code}`));
  return {
    send: (outgoing, transfer = []) => worker.postMessage(outgoing, transfer),
    hold: (held) => (held ? worker.ref() : worker.unref()),
    end: () => worker.terminate(),
  };
};
