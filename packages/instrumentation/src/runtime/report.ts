import { diag } from '@opentelemetry/api';
import type { CounterName, Counters } from './counters.js';
import { say, sayWarning } from './say.js';
import { runtime } from './state.js';

const MAX_REMEMBERED_WARNINGS = 200;

/** Counts, and says it once in detail through OpenTelemetry's `diag` (warn the first time, debug after that). */
export function count(name: CounterName, detail: string): void {
  runtime().counters[name] += 1;
  warnOnce(`count:${name}`, detail);
}

/** Counts what is no fault of anyone's, and says it to those who debug. */
export function tally(name: CounterName, detail: string): void {
  runtime().counters[name] += 1;
  diag.debug(`seamtrace: ${detail}`);
}

/** Warns once per topic and process, so that a hot path does not flood a log. Repetitions go to `diag.debug`. */
export function warnOnce(topic: string, message: string): void {
  const { warned } = runtime();
  if (warned.has(topic) || warned.size >= MAX_REMEMBERED_WARNINGS) {
    diag.debug(`seamtrace: ${message}`);
    return;
  }
  warned.add(topic);
  diag.warn(`seamtrace: ${message}`);
}

/** {@link warnOnce}, and a line on stderr: for settings of which nobody would know otherwise that they have no effect. */
export function warnAloud(topic: string, message: string): void {
  say(message);
  warnOnce(topic, message);
}

/** {@link warnOnce}, and a line on stderr while those are few: for what `warn` mode finds. */
export function warnOfHandoff(topic: string, message: string): void {
  sayWarning(message);
  warnOnce(topic, message);
}

/**
 * Runs work of ours inside the user's call: whatever it throws is counted and becomes `fallback`. Only enforcement that
 * the user switched on may leave this package as an exception, and it is thrown outside of this guard.
 */
export function guarded<T>(what: string, work: () => T, fallback: T): T {
  try {
    return work();
  } catch (error) {
    // A message could quote a value of the user's, so only the error's type is named.
    const kind = error instanceof Error ? error.constructor.name : typeof error;
    count('internal_error', `${what} failed with ${kind}; the application goes on without it`);
    return fallback;
  }
}

/** How often something was dropped or shortened in this process since it began, by what it was. A copy. */
export function readCounters(): Readonly<Counters> {
  return { ...runtime().counters };
}
