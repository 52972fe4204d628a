import fc from 'fast-check';
import { createOutlineBuilder, MODEL, type OutlineOp, RUN, TOOL } from '../src/decode/outline.js';
import type { NodeOp, TraceNode } from '../src/evidence/types.js';
import { packOutline } from '../src/topology/outline-codec.js';
import { EVERY_TRACE } from '../src/topology/resolve-all.js';

/** A span as a test of trees writes it down: ours, or anybody's. */
export interface TreeSpan {
  readonly trace: number;
  readonly id: number;
  /** 0 for a root span; an id that no span has for a parent that was filtered out. */
  readonly parent: number;
  readonly op: NodeOp;
  readonly ours: boolean;
  readonly agent?: string | undefined;
  readonly handoff?: string | undefined;
  readonly task?: string | undefined;
  readonly owner?: string | undefined;
}

export const traceIdOf = (trace: number) => (trace + 1).toString(16).padStart(32, '0');
export const spanIdOf = (id: number) => id.toString(16).padStart(16, '0');

/** Facts that follow from the id, so that every span can be told from every other. */
export const toolOf = (id: number) => `tool-${id % 5}`;
export const startOf = (id: number) => BigInt(id) * 1000n;

export function nodeOf(span: TreeSpan): TraceNode {
  const { trace, id, parent, op, agent, handoff, task, owner } = span;
  return {
    traceId: traceIdOf(trace),
    spanId: spanIdOf(id),
    parentSpanId: parent === 0 ? undefined : spanIdOf(parent),
    op,
    agent,
    tool: op === 'tool' ? toolOf(id) : undefined,
    argumentsDigest: undefined,
    taskId: task,
    handoffId: handoff,
    attempt: handoff === undefined ? undefined : 1,
    ownerHandoffId: owner,
    span: {
      traceId: traceIdOf(trace),
      spanId: spanIdOf(id),
      execution: 1,
      startUnixNano: String(startOf(id)),
      endUnixNano: String(startOf(id) + 500n),
      failed: id % 3 === 0,
      errorType: undefined,
    },
  };
}

const OUTLINE: Partial<Record<NodeOp, OutlineOp>> = { run: RUN, tool: TOOL, model: MODEL };

/** The outline of the spans among these that are not ours, packed; `undefined` where there are none. */
export function outlineOf(spans: readonly TreeSpan[]): Uint8Array | undefined {
  const builder = createOutlineBuilder();
  const buffer = Buffer.alloc(48);
  for (const { trace, id, parent, op, agent, ours } of spans) {
    if (ours) continue;
    buffer.write(traceIdOf(trace), 0, 'hex');
    buffer.write(spanIdOf(id), 16, 'hex');
    buffer.write(spanIdOf(parent), 24, 'hex');
    const at = builder.trace(buffer, 0);
    const parentAt = parent === 0 ? -1 : 24;
    const kind = OUTLINE[op];
    if (kind === undefined) {
      builder.link(at, buffer, 16, parentAt);
      continue;
    }
    buffer.writeBigUInt64LE(startOf(id), 32);
    buffer.writeBigUInt64LE(startOf(id) + 500n, 40);
    const facts = {
      op: kind,
      failed: id % 3 === 0,
      agent: agent === undefined ? 0 : builder.name(agent),
      tool: op === 'tool' ? builder.name(toolOf(id)) : 0,
      error: 0,
      inputTokens: -1,
      outputTokens: -1,
    };
    builder.node(at, facts, buffer, 16, parentAt, 32, 40);
  }
  const outline = builder.build();
  return outline === undefined ? undefined : packOutline(outline, EVERY_TRACE);
}

const agent = fc.constantFrom('Billing', 'billing', 'triage', undefined);
const handoff = fc.constantFrom('handoff-1', 'handoff-2', 'handoff-3');
const task = fc.option(fc.constantFrom('task-1', 'task-2'), { nil: undefined });

const said: fc.Arbitrary<Omit<TreeSpan, 'trace' | 'id' | 'parent'>> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constant('other' as const), ours: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('run' as const), ours: fc.constant(false), agent }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('run' as const),
      ours: fc.constant(true),
      agent,
      handoff: fc.option(handoff, { nil: undefined }),
      task,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constantFrom('tool' as const, 'model' as const), ours: fc.constant(false), agent }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constantFrom('tool' as const, 'model' as const, 'dispatch' as const),
      ours: fc.constant(true),
      agent,
      handoff: fc.option(handoff, { nil: undefined }),
      owner: fc.option(handoff, { nil: undefined }),
      task,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constantFrom('dispatch' as const, 'ingest' as const),
      ours: fc.constant(true),
      agent,
      handoff,
      task,
    }),
  },
);

/** Spans of a few traces: trees for the most part, with parents that are missing and some that go round in circles. */
export const anyForest: fc.Arbitrary<readonly TreeSpan[]> = fc
  .array(fc.tuple(said, fc.nat(2), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(19)), { maxLength: 40 })
  .map((spans) => {
    const traces = [0];
    return spans.map(([facts, any, where, how], at) => {
      const id = at + 1;
      const earlier = Math.floor(where * id);
      // One of twenty points anywhere, forward and to itself included; one to a span that never comes.
      const parent = how === 0 ? 1 + Math.floor(where * spans.length) : how === 1 ? 1000 + at : earlier;
      const trace = parent === 0 ? any : (traces[parent] ?? any);
      traces[id] = trace;
      return { ...facts, trace, id, parent };
    });
  });
