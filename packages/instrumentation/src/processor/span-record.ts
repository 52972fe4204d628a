import type { Context, Span } from '@opentelemetry/api';
import type { AcceptFrame } from '../accept/frame.js';
import type { RunRecord } from './run.js';

/** What is remembered of one live span, for as long as the span object itself lives. */
export interface SpanRecord {
  /** The parent where it is a span of this process, so that an enclosing run is found without the exporter's tree. */
  readonly parent: Span | undefined;
  /** The innermost `accept` in whose context the span started. */
  readonly frame: AcceptFrame | undefined;
  readonly startedIn: Context;
  /** How many ancestors are remembered. */
  readonly depth: number;
  run: RunRecord | undefined;
  /** It was recognised as an agent run, and offered to the frame it began in. */
  recognised: boolean;
  ended: boolean;
}
