import type { SpanRef, TraceNode } from '../evidence/types.js';
import type { OutlineRow } from './outline-codec.js';

/** What a span says beside its place, for as long as somebody may need it. */
export type SpanFacts = Pick<
  TraceNode,
  'parentSpanId' | 'agent' | 'tool' | 'argumentsDigest' | 'taskId' | 'handoffId' | 'attempt' | 'span'
> & {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
};

/** Ids of a span in hex. */
export type SpanIds = Pick<TraceNode, 'traceId' | 'spanId' | 'parentSpanId'>;

/**
 * Facts of spans that nobody of ours stamped stand in columns, about 70 bytes each: there are many, and few are ever asked
 * for. Those of ours are kept as they came.
 */
export interface Details {
  readonly size: number;
  ofNode(node: TraceNode): number;
  ofRow(row: OutlineRow): number;
  read(at: number, ids: () => SpanIds): SpanFacts;
  remove(at: number): void;
}

const NOT_STATED = -1;

export function createDetails(): Details {
  // Start and end, each as two halves: a `bigint` for every span would cost more than all else here.
  let times = new Int32Array(1024);
  let inputs = new Float64Array(256);
  let outputs = new Float64Array(256);
  let failed = new Uint8Array(256);
  const agents: (string | undefined)[] = [];
  const tools: (string | undefined)[] = [];
  const errors: (string | undefined)[] = [];
  const nodes: (TraceNode | undefined)[] = [];
  const freed: number[] = [];
  let used = 0;

  function place(): number {
    const again = freed.pop();
    if (again !== undefined) return again;
    if (used === failed.length) {
      times = grown(times, new Int32Array(8 * used));
      inputs = grown(inputs, new Float64Array(2 * used));
      outputs = grown(outputs, new Float64Array(2 * used));
      failed = grown(failed, new Uint8Array(2 * used));
    }
    return used++;
  }

  return {
    get size() {
      return used - freed.length;
    },
    ofNode(node) {
      const at = place();
      nodes[at] = node;
      agents[at] = node.agent;
      tools[at] = undefined;
      errors[at] = undefined;
      return at;
    },
    ofRow(row) {
      const at = place();
      nodes[at] = undefined;
      agents[at] = row.agent;
      tools[at] = row.tool;
      errors[at] = row.error;
      times[4 * at] = row.startHigh;
      times[4 * at + 1] = row.startLow;
      times[4 * at + 2] = row.endHigh;
      times[4 * at + 3] = row.endLow;
      inputs[at] = row.inputTokens ?? NOT_STATED;
      outputs[at] = row.outputTokens ?? NOT_STATED;
      failed[at] = row.failed ? 1 : 0;
      return at;
    },
    read(at, ids) {
      const node = nodes[at];
      if (node !== undefined) return { ...node, inputTokens: undefined, outputTokens: undefined };
      const { traceId, spanId, parentSpanId } = ids();
      const span: SpanRef = {
        traceId,
        spanId,
        execution: 1,
        startUnixNano: nanos(times, 4 * at),
        endUnixNano: nanos(times, 4 * at + 2),
        failed: failed[at] === 1,
        errorType: errors[at],
      };
      return {
        parentSpanId,
        agent: agents[at],
        tool: tools[at],
        argumentsDigest: undefined,
        taskId: undefined,
        handoffId: undefined,
        attempt: undefined,
        span,
        inputTokens: stated(inputs[at] as number),
        outputTokens: stated(outputs[at] as number),
      };
    },
    remove(at) {
      nodes[at] = undefined;
      agents[at] = undefined;
      tools[at] = undefined;
      errors[at] = undefined;
      freed.push(at);
    },
  };
}

function nanos(times: Int32Array, at: number): string {
  return ((BigInt(times[at]! >>> 0) << 32n) | BigInt(times[at + 1]! >>> 0)).toString();
}

function grown<T extends { set(from: T): void }>(from: T, into: T): T {
  into.set(from);
  return into;
}

function stated(tokens: number): number | undefined {
  return tokens < 0 ? undefined : tokens;
}
