import { AsyncResource } from 'node:async_hooks';

// Made as this module is loaded, outside of every run.
const outside = new AsyncResource('seamtrace.langgraph');

/**
 * Runs work of ours outside of the asynchronous context of the application. A span that ends may start the timer of an
 * exporter, and a timer would keep what the context leads to, the whole state of a graph, until it fires.
 */
export function apart<T>(work: () => T): T {
  return outside.runInAsyncScope(work);
}
