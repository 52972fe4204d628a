import type { Writable } from 'node:stream';
import type { EventOutcome } from '@seamtrace/semconv';
import type { Logger } from 'pino';
import { withinTime } from './within-time.js';

/** Writes lines at the pace of their reader. */
export interface LineSink {
  /** `settled` is called once when the line is written or nobody reads any more; not when a stop comes first. */
  write(line: string, settled: () => void): void;
  /** The reader is so far behind that nothing more should be taken in until it has caught up. */
  readonly congested: boolean;
  /** Resolves when everything is written, the reader is gone, or the time is over; with the number of lines not written. */
  flush(timeoutMs: number): Promise<number>;
}

export interface LineSinkOptions {
  readonly stream: Writable;
  readonly logger: Logger;
  readonly record: (outcome: EventOutcome, count: number) => void;
  /** Lines that may wait before `congested`. */
  readonly highWater?: number;
}

interface Waiting {
  readonly line: string;
  readonly settled: () => void;
}

/**
 * Never ignores what `write` returns: while the stream is full, lines wait here, and `congested` lets the receiver turn
 * senders away, so that no verdict is lost to a slow reader and none piles up without end. A reader that goes away
 * (EPIPE) ends the lines and nothing else.
 */
export function createLineSink({ stream, logger, record, highWater = 10_000 }: LineSinkOptions): LineSink {
  let waiting: Waiting[] = [];
  /** Handed to the stream, which holds what its reader has not made room for. */
  let underWay = 0;
  let full = false;
  let gone = false;
  let over = false;
  let idle: (() => void)[] = [];

  function settle(): void {
    if (waiting.length + underWay > 0 && !gone) return;
    for (const resolve of idle) resolve();
    idle = [];
  }

  function put({ line, settled }: Waiting): void {
    underWay += 1;
    full = !stream.write(line, (error) => {
      underWay -= 1;
      if (!over) {
        record(error ? 'dropped' : 'delivered', 1);
        settled();
      }
      settle();
    });
  }

  function drain(): void {
    full = false;
    let next = 0;
    while (next < waiting.length && !full) put(waiting[next++]!);
    waiting = waiting.slice(next);
  }

  function leave(error?: NodeJS.ErrnoException): void {
    if (gone) return;
    gone = true;
    const why = error?.code ?? 'closed';
    logger.warn({ why, lines: waiting.length }, 'nobody reads the verdict lines any more; grading and metrics go on');
    if (waiting.length > 0) record('dropped', waiting.length);
    const unread = waiting;
    waiting = [];
    for (const { settled } of unread) settled();
    settle();
  }

  stream.on('drain', drain);
  stream.on('error', leave);
  stream.on('close', leave);
  return {
    write(line, settled) {
      if (gone) {
        record('dropped', 1);
        settled();
      } else if (full) waiting.push({ line, settled });
      else put({ line, settled });
    },
    get congested() {
      return waiting.length >= highWater;
    },
    async flush(timeoutMs) {
      const written = new Promise<void>((resolve) => {
        idle.push(resolve);
      });
      settle();
      await withinTime(written, timeoutMs);
      over = true;
      const left = waiting.length + underWay;
      if (left > 0) record('dropped', left);
      waiting = [];
      stream.off('drain', drain);
      stream.off('close', leave);
      return left;
    },
  };
}
