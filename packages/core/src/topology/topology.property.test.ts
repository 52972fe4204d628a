import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyForest, nodeOf, outlineOf, spanIdOf, toolOf, type TreeSpan } from '../../test/forest.js';
import { foldName } from '../evidence/fold-name.js';
import type { Evidence } from '../evidence/types.js';
import { resolveAll } from './resolve-all.js';
import { createTopology } from './topology.js';

/** One line for each thing that is told, the same from an oracle and from the topology. */
const lines = {
  tool: (
    span: string,
    tool: string,
    agent: string | undefined,
    handoff: string | undefined,
    task: string | undefined,
  ) => `tool ${span} ${tool} of ${agent}: ${handoff} in ${task}`,
  model: (span: string, handoff: string | undefined, task: string | undefined) =>
    `model ${span}: ${handoff} in ${task}`,
  parent: (handoff: string, parent: string | undefined) => `${handoff} was dispatched under ${parent}`,
  end: (run: string, agent: string | undefined, handoff: string | undefined, task: string, root: boolean) =>
    `${run} of ${agent} ended, started by ${handoff} in ${task}, root: ${root}`,
  run: (handoff: string, run: string, agent: string | undefined) => `${handoff} started ${run} of ${agent}`,
};

function lineOf({ tool, handoff, node, run }: Evidence): string {
  if (run !== undefined) return lines.end(run.span.spanId, run.agent, run.handoffId, run.taskId, run.root);
  if (node !== undefined) return lines.model(node.spanId, node.ownerHandoffId, node.taskId);
  if (tool !== undefined) {
    return lines.tool(tool.span.spanId, tool.tool, tool.agent, tool.runHandoffId, tool.taskId);
  }
  if (handoff?.facts.parentHandoff !== undefined) {
    return lines.parent(handoff.handoffId, handoff.facts.parentHandoff.values[0]);
  }
  return lines.run(handoff!.handoffId, handoff!.runSpan!.spanId, handoff?.facts.runAgent?.values[0]);
}

/** What a whole forest shows, by the words of the interface and with no thought to speed. */
function oracle(spans: readonly TreeSpan[]): string[] {
  const byId = new Map(spans.map((span) => [`${span.trace}/${span.id}`, span]));
  const agents = (a: string | undefined, b: string | undefined) =>
    a === undefined || b === undefined || foldName(a) === foldName(b);

  function above(span: TreeSpan): TreeSpan | 'unknown' | undefined {
    const seen = new Set<TreeSpan>();
    for (let at = span; at.parent !== 0;) {
      const parent = byId.get(`${at.trace}/${at.parent}`);
      if (parent === undefined || parent === at || seen.has(parent)) return 'unknown';
      if (parent.op === 'run') return parent;
      seen.add(parent);
      at = parent;
    }
    return undefined;
  }

  function inTool(span: TreeSpan): boolean {
    const parent = byId.get(`${span.trace}/${span.parent}`);
    return parent !== undefined && (parent.op === 'tool' || (parent.op !== 'run' && inTool(parent)));
  }

  const ingests = spans.filter(({ op, handoff }) => op === 'ingest' && handoff !== undefined);
  /** `from`: the first touch of what the run ingested; ids rise with their spans' starts. */
  type Owner = { handoff: string | undefined; task: string | undefined; run: TreeSpan; from?: number };
  function owner(run: TreeSpan, seen: readonly TreeSpan[] = []): Owner | undefined {
    if (run.handoff !== undefined) return { handoff: run.handoff, task: run.task, run };
    const inside = ingests.filter((ingest) => above(ingest) === run);
    if (inside.some((ingest) => !agents(ingest.agent, run.agent))) return undefined;
    const handoffs = new Set(inside.map((ingest) => ingest.handoff));
    if (handoffs.size > 1) return undefined;
    if (handoffs.size === 1) {
      const tasks = new Set(inside.map((ingest) => ingest.task));
      const from = Math.min(...inside.map((ingest) => ingest.id));
      const known = run.task ?? (tasks.size === 1 ? inside[0]?.task : undefined);
      return { handoff: inside[0]?.handoff, task: known, run, from };
    }
    if (run.task !== undefined) return { handoff: undefined, task: run.task, run };
    const outer = above(run);
    if (outer === undefined || outer === 'unknown' || seen.includes(outer)) return undefined;
    if (run.agent === undefined || outer.agent === undefined || !agents(run.agent, outer.agent)) return undefined;
    return owner(outer, [...seen, run]);
  }

  return spans.flatMap((span) => {
    const { op, id, handoff, task, owner: stated, ours } = span;
    const at = spanIdOf(id);
    if (ours && stated !== undefined && op === 'dispatch') {
      return handoff === undefined || handoff === stated ? [] : [lines.parent(handoff, stated)];
    }
    if ((op === 'tool' || op === 'model') && (stated !== undefined || task !== undefined)) return [];
    if (op === 'run') {
      const found = handoff === undefined && task === undefined ? owner(span) : undefined;
      const ends = found?.run === span && found.task !== undefined;
      return ends ? [lines.end(at, span.agent, found.handoff, found.task as string, span.parent === 0)] : [];
    }
    const run = above(span);
    if (run === undefined || run === 'unknown' || op === 'other') return [];
    if (op === 'ingest') {
      if (run.handoff !== undefined || handoff === undefined || !agents(span.agent, run.agent)) return [];
      return [lines.run(handoff, spanIdOf(run.id), run.agent)];
    }
    const found = (op === 'tool' || op === 'model') && inTool(span) ? undefined : owner(run);
    if (found === undefined || !agents(span.agent, found.run.agent) || id < (found.from ?? 0)) return [];
    if (op === 'tool') return [lines.tool(at, toolOf(id), span.agent ?? found.run.agent, found.handoff, found.task)];
    if (op === 'model') return [lines.model(at, found.handoff, found.task)];
    if (handoff === undefined || found.handoff === undefined || handoff === found.handoff) return [];
    return [lines.parent(handoff, found.handoff)];
  });
}

// Repetitions stay: what is told twice shows.
const sorted = (all: readonly string[]) => [...all].sort();

const forestAndWays = anyForest.chain((spans) =>
  fc.record({
    spans: fc.constant(spans),
    // Every span once, in any order, and some of them again at any place.
    order: fc
      .tuple(fc.shuffledSubarray([...spans], { minLength: spans.length }), fc.subarray([...spans]))
      .chain(([all, again]) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length })),
    batches: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1 }),
    impatient: fc.boolean(),
  }),
);

describe('a topology', () => {
  test('tells the same as somebody who has the whole tree, whatever comes when, how often, and together with what', () => {
    fc.assert(
      fc.property(forestAndWays, ({ spans, order, batches, impatient }) => {
        const told: string[] = [];
        const topology = createTopology({
          sink: { evidence: (piece) => told.push(lineOf(piece)) },
          settleMs: 10,
          maxSpans: 1000,
        });
        for (let at = 0, batch = 0; at < order.length; batch++) {
          const some = order.slice(at, (at += batches[batch % batches.length] as number));
          for (const span of some) if (span.ours) topology.offer(nodeOf(span), 0);
          const outline = outlineOf(some);
          if (outline !== undefined) topology.offerOutline(outline, 0);
          if (impatient) topology.popDue(0, 1);
        }
        for (let now = 0; (topology.next() ?? 1e6) < 1e6; now = topology.next() ?? now) topology.popDue(now, 3);
        expect(sorted(told)).toEqual(sorted(oracle(spans)));
      }),
      { numRuns: 2000 },
    );
  });

  test('of a whole file tells the same', () => {
    fc.assert(
      fc.property(anyForest, (spans) => {
        const outline = outlineOf(spans);
        const nodes = spans.filter(({ ours }) => ours).map(nodeOf);
        const { evidence } = resolveAll(nodes, outline === undefined ? [] : [outline]);
        expect(sorted(evidence.map(lineOf))).toEqual(sorted(oracle(spans)));
      }),
      { numRuns: 1000 },
    );
  });
});
