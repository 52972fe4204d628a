import { emptyFacts, readFacts } from '../outline-facts.js';
import type { ForeignSign } from '../../evidence/dialects/types.js';
import type { OutlineBuilder } from '../outline.js';
import type { DecodedSpan } from '../types.js';

/** Tells an outline of spans whose ids are text. */
export interface Outliner {
  add(span: OutlinedSpan): void;
  /** A span of ours stands in the trace. */
  speaks(traceId: string): void;
  /** What a span that was added says in a foreign dialect. */
  foreign(span: OutlinedSpan, sign: ForeignSign): void;
}

export type OutlinedSpan = Pick<
  DecodedSpan,
  'traceId' | 'spanId' | 'parentSpanId' | 'startUnixNano' | 'endUnixNano' | 'statusCode' | 'attributes'
>;

const SPAN_AT = 16;
const PARENT_AT = 24;
const START_AT = 32;
const END_AT = 40;
const STATUS_ERROR = 2;

export function createOutliner(outline: OutlineBuilder): Outliner {
  const scratch = Buffer.alloc(48);
  const facts = emptyFacts();

  function traceOf(traceId: string): number {
    scratch.write(traceId, 0, 'hex');
    return outline.trace(scratch, 0);
  }

  return {
    foreign({ traceId, spanId, parentSpanId, startUnixNano, endUnixNano, statusCode }, sign) {
      outline.foreign({
        trace: traceOf(traceId),
        spanId,
        parentSpanId,
        start: startUnixNano.toString(),
        end: endUnixNano.toString(),
        failed: sign.failed ?? statusCode === STATUS_ERROR,
        sign,
      });
    },
    speaks: (traceId) => outline.speaks(traceOf(traceId)),
    add({ traceId, spanId, parentSpanId, startUnixNano, endUnixNano, statusCode, attributes }) {
      const trace = traceOf(traceId);
      scratch.write(spanId, SPAN_AT, 'hex');
      scratch.write(parentSpanId, PARENT_AT, 'hex');
      const parentAt = parentSpanId === '' ? -1 : PARENT_AT;
      const read = readFacts(attributes, outline, facts);
      if (read === undefined) return outline.link(trace, scratch, SPAN_AT, parentAt);
      scratch.writeBigUInt64LE(startUnixNano, START_AT);
      scratch.writeBigUInt64LE(endUnixNano, END_AT);
      read.failed = statusCode === STATUS_ERROR;
      outline.node(trace, read, scratch, SPAN_AT, parentAt, START_AT, END_AT);
    },
  };
}
