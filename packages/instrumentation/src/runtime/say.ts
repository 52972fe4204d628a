import { writeSync } from 'node:fs';

interface Said {
  readonly lines: Set<string>;
  /** How many warnings were said, of at most {@link MAX_WARNINGS}. */
  warnings: number;
}

// Shared by all copies of this package, as `runtime()` is: what `register` has said the handoff API does not say again.
const SAID = Symbol.for('seamtrace.instrumentation.v1.said');
type Host = { [SAID]?: Said };

const MAX_LINES = 200;

/** How many distinct warnings about handoffs are written to stderr in one process. */
const MAX_WARNINGS = 20;

function said(): Said {
  const host = globalThis as Host;
  const existing = host[SAID];
  if (existing !== undefined) return existing;
  const created: Said = { lines: new Set(), warnings: 0 };
  Object.defineProperty(globalThis, SAID, { value: created, enumerable: false, configurable: true });
  return created;
}

/** What `SEAMTRACE_LOG` lets through to stderr. */
export type LogLevel = 'off' | 'error' | 'info';

export const LOG_LEVELS: readonly LogLevel[] = ['off', 'error', 'info'];

/** `SEAMTRACE_LOG`: `info` by default, also where it is none of the three (`start` says so). */
export function logLevel(setting: string | undefined = process.env['SEAMTRACE_LOG']): LogLevel {
  const text = setting?.trim().toLowerCase();
  return LOG_LEVELS.find((level) => level === text) ?? 'info';
}

/** The line at start: as {@link say}, at `SEAMTRACE_LOG=info` only, and with the version in place of the colon. */
export function sayStart(text: string): void {
  if (logLevel() === 'info') write(text);
}

/**
 * One line on stderr, once in a process, and at most 200 of them. Written at once, since the process may be about to exit.
 * Never throws, and never writes to stdout, which is the application's. `SEAMTRACE_LOG=off` silences it.
 */
export function say(line: string): void {
  if (logLevel() !== 'off') write(`seamtrace: ${line}`);
}

function write(line: string): void {
  const text = line.replace(/\s*\n\s*/g, ' ');
  const { lines } = said();
  if (lines.has(text) || lines.size >= MAX_LINES) return;
  lines.add(text);
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // stderr is closed or full; there is nobody to tell.
  }
}

/** Whether a line was said already, given as it stands on stderr. */
export function wasSaid(text: string): boolean {
  return said().lines.has(text);
}

/** {@link say} for what may come with every handoff: after 20 distinct lines one more tells that others follow. */
export function sayWarning(line: string): void {
  const state = said();
  if (wasSaid(`seamtrace: ${line}`)) return;
  if (state.warnings >= MAX_WARNINGS) {
    say(
      `${MAX_WARNINGS} different warnings were written; further ones go to OpenTelemetry's diag only (OTEL_LOG_LEVEL=warn)`,
    );
    return;
  }
  state.warnings += 1;
  say(line);
}
