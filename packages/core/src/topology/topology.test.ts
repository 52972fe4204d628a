import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyForest, nodeOf, outlineOf, spanIdOf, type TreeSpan } from '../../test/forest.js';
import type { Evidence } from '../evidence/types.js';
import { resolveAll } from './resolve-all.js';
import { createTopology } from './topology.js';
import type { TopologyOptions } from './types.js';

function listening(options: Omit<TopologyOptions, 'sink'> = {}) {
  const told: Evidence[] = [];
  const left: string[] = [];
  const topology = createTopology({
    sink: { evidence: (piece) => void told.push(piece) },
    maxSpans: 4096,
    settleMs: 10,
    idleMs: 1000,
    observer: {
      unresolved: (count, why) => left.push(`${count} ${why}`),
      evicted: (spans) => left.push(`trace of ${spans}`),
      capped: (count) => left.push(`${count} capped`),
    },
    ...options,
  });
  const receive = (spans: readonly TreeSpan[], now: number) => {
    for (const span of spans) if (span.ours) topology.offer(nodeOf(span), now);
    const outline = outlineOf(spans);
    return outline === undefined ? undefined : topology.offerOutline(outline, now);
  };
  return { topology, told, left, receive };
}

const trace = 0;
const link = (id: number, parent: number): TreeSpan => ({ trace, id, parent, op: 'other', ours: false });
const tool = (id: number, parent: number, more: Partial<TreeSpan> = {}): TreeSpan => ({
  trace,
  id,
  parent,
  op: 'tool',
  ours: false,
  ...more,
});
const run = (id: number, parent: number, handoff?: string, more: Partial<TreeSpan> = {}): TreeSpan => ({
  trace,
  id,
  parent,
  op: 'run',
  ours: true,
  agent: 'billing',
  handoff,
  ...more,
});
const ingest = (id: number, parent: number, handoff: string, more: Partial<TreeSpan> = {}): TreeSpan => ({
  trace,
  id,
  parent,
  op: 'ingest',
  ours: true,
  handoff,
  ...more,
});
const owners = (told: readonly Evidence[]) =>
  told.flatMap((piece) => piece.tool ?? []).map((call) => call.runHandoffId);

describe('spans that come late', () => {
  test('a tool call waits for its run for as long as its trace speaks', () => {
    const { topology, told, receive } = listening();
    receive([tool(3, 2)], 0);
    // Days, in steps shorter than the time after which a silent trace is let go.
    for (let now = 900; now < 900_000; now += 900) {
      receive([link(1000 + now, 999)], now);
      topology.popDue(now);
    }
    receive([link(2, 1)], 900_000);
    expect(told).toEqual([]);
    receive([run(1, 0, 'handoff-1')], 900_000);
    topology.popDue(900_000);
    expect(owners(told)).toEqual(['handoff-1']);
  });

  test('a parent that was filtered out leaves its calls undecided, and they are counted when the trace falls silent', () => {
    const { topology, told, left, receive } = listening();
    receive([run(1, 0, 'handoff-1'), tool(3, 2), tool(4, 2)], 0);
    topology.popDue(999);
    expect(topology.sizes()).toEqual({ traces: 1, spans: 4, undecided: 2 });
    expect(left).toEqual([]);
    topology.popDue(1000);
    expect({ told, left }).toEqual({ told: [], left: ['2 expired'] });
    expect(topology.sizes()).toEqual({ traces: 0, spans: 0, undecided: 0 });
    expect(topology.next()).toBeUndefined();
  });

  test('a second ingest within the wait takes the ownership away, and both learn of the run', () => {
    const { topology, told, receive } = listening();
    const foreign = run(1, 0, undefined, { ours: false });
    receive([foreign, tool(2, 1), ingest(3, 1, 'handoff-1')], 0);
    topology.popDue(9);
    receive([ingest(4, 1, 'handoff-2')], 9);
    topology.popDue(10);
    expect(owners(told)).toEqual([]);
    expect(told.map(({ handoff }) => [handoff?.handoffId, handoff?.runSpan?.spanId])).toEqual([
      ['handoff-1', spanIdOf(1)],
      ['handoff-2', spanIdOf(1)],
    ]);
  });

  test('what was decided is not decided again for what comes later', () => {
    const { topology, told, receive } = listening();
    receive([run(1, 0, 'handoff-1')], 0);
    for (let id = 2; id < 5; id++) {
      receive([tool(id, 1)], id);
      topology.popDue(id);
    }
    expect(owners(told)).toEqual(['handoff-1', 'handoff-1', 'handoff-1']);
  });
});

describe('shapes', () => {
  test('a chain of 50,000 spans, the deepest first, is climbed to its top', () => {
    const { topology, told, receive } = listening({ maxSpans: 1 << 18 });
    const chain = Array.from({ length: 50_000 }, (_, at) => (at === 0 ? run(1, 0, 'handoff-1') : link(at + 1, at)));
    receive([tool(50_001, 50_000)], 0);
    receive(chain.slice(1).reverse(), 0);
    receive(chain.slice(0, 1), 0);
    topology.popDue(0);
    expect(owners(told)).toEqual(['handoff-1']);
  });

  test('20,000 runs of one agent in each other, a call in each: all are steps of the outermost', () => {
    const { topology, told, receive } = listening({ maxSpans: 1 << 18 });
    const spans = Array.from({ length: 20_000 }, (_, at) => [
      run(2 * at + 1, at === 0 ? 0 : 2 * at - 1, at === 0 ? 'handoff-1' : undefined, { ours: at === 0 }),
      tool(2 * at + 2, 2 * at + 1),
    ]).flat();
    receive(spans.reverse(), 0);
    while ((topology.next() ?? 1000) < 1000) topology.popDue(topology.next()!, 1000);
    expect(owners(told)).toHaveLength(20_000);
    expect(new Set(owners(told))).toEqual(new Set(['handoff-1']));
  });

  test('circles and spans that name themselves as parent stay undecided', () => {
    const { topology, told, left, receive } = listening();
    receive([link(1, 2), link(2, 1), tool(3, 1), link(4, 4), tool(5, 4), tool(6, 6)], 0);
    topology.popDue(500);
    expect(told).toEqual([]);
    topology.popDue(1000);
    expect(left).toEqual(['3 expired']);
  });

  test('times decide nothing: a call that seems to begin before its run and end after it is its call', () => {
    const early = run(900, 0, 'handoff-1');
    const { evidence } = resolveAll([nodeOf(early)], [outlineOf([tool(1, 900)]) as Uint8Array]);
    expect(owners(evidence)).toEqual(['handoff-1']);
  });
});

describe('spans that contradict each other', () => {
  const spans = [run(1, 0, 'handoff-1'), run(2, 0, 'handoff-2'), link(3, 1), tool(4, 3), tool(5, 1)];

  test.each([
    ['a second parent', link(3, 2)],
    ['another operation', tool(1, 0)],
    ['another handoff', run(1, 0, 'handoff-3')],
    ['another agent', run(1, 0, 'handoff-1', { agent: 'support' })],
  ])('%s silences the span and what is below it, in whatever order a file holds them', (_what, other) => {
    const told = [[...spans, other], [other, ...spans], [...spans, other].reverse()].map((all) => {
      const nodes = all.filter(({ ours }) => ours).map(nodeOf);
      const outlines = all.filter(({ ours }) => !ours).map((span) => outlineOf([span]) as Uint8Array);
      return owners(resolveAll(nodes, outlines).evidence);
    });
    const expected = other.id === 3 ? ['handoff-1'] : [];
    expect(told).toEqual([expected, expected, expected]);
  });

  test('the same span without its attributes does not', () => {
    const all = [...spans, link(1, 0), link(4, 3), link(5, 1)];
    for (const order of [all, [...all].reverse()]) {
      const nodes = order.filter(({ ours }) => ours).map(nodeOf);
      const outlines = order.filter(({ ours }) => !ours).map((span) => outlineOf([span]) as Uint8Array);
      expect(owners(resolveAll(nodes, outlines).evidence)).toEqual(['handoff-1', 'handoff-1']);
    }
    const { topology, told, receive } = listening();
    for (const span of [link(1, 0), ...spans]) receive([span], 0);
    topology.popDue(0);
    expect(owners(told)).toEqual(['handoff-1', 'handoff-1']);
  });
});

describe('bounds', () => {
  test('a trace keeps what it has when it is full, and from then on only stated handoffs count in it', () => {
    const { topology, told, left, receive } = listening({ maxSpansPerTrace: 4 });
    receive([run(1, 0, undefined, { ours: false }), ingest(2, 1, 'handoff-1'), run(3, 1, 'handoff-2')], 0);
    receive([ingest(4, 1, 'handoff-3')], 0);
    expect(receive([tool(5, 1), tool(6, 3)], 0)).toEqual({ placed: 0, duplicate: 0, refused: 2 });
    expect(left).toEqual(['2 capped']);
    const other = listening({ maxSpansPerTrace: 4 });
    other.receive([tool(2, 1), ingest(3, 1, 'handoff-1'), run(1, 0, undefined, { ours: false }), tool(4, 1)], 0);
    other.receive([ingest(5, 1, 'handoff-2')], 0);
    other.topology.popDue(10);
    expect(owners(other.told), 'who knows what was refused').toEqual([]);
    topology.popDue(10);
    expect(owners(told)).toEqual([]);
  });

  test('one trace of 50,000 spans pushes out neither small traces of ours nor itself to nothing', () => {
    const { topology, told, receive } = listening({ maxSpans: 8192, maxSpansPerTrace: 100_000 });
    for (let at = 1; at <= 500; at++) receive([tool(2, 1, { trace: at })], 0);
    const huge = Array.from({ length: 50_000 }, (_, at) => link(at + 10, 9));
    for (let at = 0; at < huge.length; at += 500) receive(huge.slice(at, at + 500), 1);
    for (let at = 1; at <= 500; at++) receive([run(1, 0, `handoff-${at}`, { trace: at })], 2);
    topology.popDue(2);
    expect(owners(told)).toHaveLength(500);
  });

  test('a flood of strangers pushes out strangers', () => {
    const { topology, told, left, receive } = listening({ maxSpans: 4096 });
    for (let at = 1; at <= 100; at++)
      receive([run(1, 0, `handoff-${at}`, { trace: at }), tool(3, 2, { trace: at })], 0);
    for (let at = 1000; at < 11_000; at++) receive([tool(2, 1, { trace: at })], 1);
    for (let at = 1; at <= 100; at++) receive([{ ...link(2, 1), trace: at }], 2);
    topology.popDue(2);
    expect(owners(told)).toHaveLength(100);
    expect(left).toContain('trace of 2');
    expect(topology.sizes().spans).toBeLessThanOrEqual(4096);
  });

  test('a trace id that is used again begins a new tree, in which nothing is concluded from silence', () => {
    const { topology, told, receive } = listening();
    receive([run(1, 0, 'handoff-1'), tool(2, 1)], 0);
    topology.popDue(2000);
    receive([run(1, 0, 'handoff-2'), tool(2, 1), run(5, 0, undefined, { task: 'task-1' }), tool(6, 5)], 2000);
    topology.popDue(2010);
    expect(owners(told)).toEqual(['handoff-1', 'handoff-2']);
  });

  test('in any room, never more is kept than may be, and never is told what the whole tree does not tell', () => {
    const key = (piece: Evidence) => JSON.stringify(piece);
    fc.assert(
      fc.property(
        anyForest.chain((spans) =>
          fc.record({
            spans: fc.constant(spans),
            order: fc.array(fc.constantFrom(...spans, link(1, 0)), { maxLength: 80 }),
            maxSpans: fc.integer({ min: 8, max: 64 }),
            maxTraces: fc.integer({ min: 1, max: 4 }),
          }),
        ),
        ({ spans, order, maxSpans, maxTraces }) => {
          const all = order.filter((span) => spans.includes(span));
          const { topology, told, receive } = listening({ maxSpans, maxTraces });
          for (const span of all) {
            receive([span], 0);
            const sizes = topology.sizes();
            expect(sizes.spans).toBeLessThanOrEqual(maxSpans);
            expect(sizes.traces).toBeLessThanOrEqual(maxTraces);
          }
          topology.drain(0);
          const outline = outlineOf(all);
          const nodes = all.filter(({ ours }) => ours).map(nodeOf);
          const whole = resolveAll(nodes, outline === undefined ? [] : [outline]).evidence.map(key);
          for (const piece of told) expect(whole).toContain(key(piece));
          topology.popDue(1e6);
          expect(topology.sizes()).toEqual({ traces: 0, spans: 0, undecided: 0 });
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('roots', () => {
  test('a run that names itself as its parent is none', () => {
    const { topology, told, receive } = listening();
    receive([run(1, 1, undefined, { ours: false }), ingest(2, 1, 'handoff-1', { task: 'task-1' })], 0);
    topology.popDue(10);
    expect(told.flatMap((piece) => piece.run ?? []).map(({ root }) => root)).toEqual([false]);
  });
});
