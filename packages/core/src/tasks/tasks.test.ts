import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import { mergeRecords } from '../evidence/merge.js';
import type { Evidence, HandoffRecord, RunEvidence, SpanRef, ToolEvidence } from '../evidence/types.js';
import { createTasks } from './tasks.js';
import type { TasksOptions } from './types.js';

const HOUR = 3_600_000;

function hop(
  index: number | undefined,
  more: Record<string, bigint | string> = {},
  task = 'task-1',
  handoffId = `h-${index}`,
): HandoffRecord {
  const attributes = { ...(index === undefined ? {} : { 'seamtrace.hop.index': BigInt(index) }), ...more };
  const span = handoffSpan({ role: 'dispatch', handoffId, route: `r${index}`, task, attributes });
  const result = extractEvidence(decodedSpan(span));
  if (!result.ok || result.evidence?.handoff === undefined) throw new Error('the span says nothing');
  return result.evidence.handoff;
}

function ref(spanId: string, startSecond: number, endSecond: number, failed = false): SpanRef {
  const [startUnixNano, endUnixNano] = [`${startSecond}000000000`, `${endSecond}000000000`];
  return { traceId: 't', spanId, execution: 1, startUnixNano, endUnixNano, failed, errorType: undefined };
}

function spoken(over: Partial<Evidence>): Evidence {
  return { handoff: undefined, tool: undefined, node: undefined, run: undefined, speakers: [], ...over };
}

function ran(over: Partial<RunEvidence> = {}): Evidence {
  const run = {
    taskId: 'task-1',
    handoffId: undefined,
    agent: 'a',
    dispatchedIds: [],
    root: true,
    span: ref('root', 1, 50),
  };
  return spoken({ run: { ...run, inputTokens: undefined, outputTokens: undefined, ...over } });
}

const DIGEST = (letter: string) => `hmac-sha256:k:${letter.repeat(64)}`;

function called(tool: string, letter: string | undefined, runHandoffId: string | undefined, second: number): Evidence {
  const call: ToolEvidence = {
    runHandoffId,
    taskId: 'task-1',
    tool,
    agent: undefined,
    argumentsDigest: letter === undefined ? undefined : DIGEST(letter),
    span: ref(`${tool}-${second}`, second, second + 1),
  };
  return spoken({ tool: call });
}

const of = (over: Partial<TasksOptions> = {}) => createTasks({ silenceMs: HOUR, maxTasks: 10, ...over });

describe('the end of a task', () => {
  it('comes exactly after an hour of silence, with the largest hop index, whatever the order', () => {
    const tasks = of();
    for (const index of [2, 3, 1]) tasks.noteGraded(hop(index), 0);
    tasks.offer(called('look', 'a', undefined, 1), 1000);
    expect(tasks.popDue(HOUR + 999).ends).toEqual([]);
    const end = { taskId: 'task-1', outcome: 'silent', hops: 3, atHopLimit: false };
    expect(tasks.popDue(HOUR + 1000).ends).toEqual([end]);
    expect(tasks.popDue(10 * HOUR).ends).toEqual([]);
    expect(tasks.size).toBe(0);
  });

  it('comes with its root run, once late hops had time to join', () => {
    const tasks = of({ settleMs: 10_000 });
    tasks.noteGraded(hop(1), 0);
    tasks.offer(ran(), 1000);
    tasks.noteGraded(hop(2), 6000);
    expect(tasks.next()).toBe(16_000);
    expect(tasks.popDue(15_999).ends).toEqual([]);
    const { ends, affected } = tasks.popDue(16_000);
    expect(ends).toEqual([{ taskId: 'task-1', outcome: 'completed', hops: 2, atHopLimit: false }]);
    expect(affected.map(({ handoffId }) => handoffId)).toEqual(['h-1', 'h-2']);
    expect(tasks.popDue(10 * HOUR).ends).toEqual([]);
  });

  it('waits for handoffs that were heard of and are not graded yet', () => {
    const tasks = of();
    tasks.offer(spoken({ handoff: hop(1) }), 0);
    tasks.offer(ran(), 0);
    expect(tasks.popDue(599_000).ends).toEqual([]);
    tasks.noteGraded(hop(1), 600_000);
    expect(tasks.popDue(610_000).ends).toEqual([
      { taskId: 'task-1', outcome: 'completed', hops: 1, atHopLimit: false },
    ]);
  });

  it('is not told by a root run that was interrupted to ask a person, but by the one that the answer started', () => {
    const paused = { ...ref('root', 1, 50, true), errorType: 'GraphInterrupt' };
    const tasks = of();
    tasks.offer(ran({ span: paused }), 0);
    expect(tasks.popDue(HOUR - 1).ends).toEqual([]);
    expect(tasks.popDue(HOUR).ends).toMatchObject([{ outcome: 'silent' }]);
    for (const [failed, outcome] of [
      [false, 'completed'],
      [true, 'failed'],
    ] as const) {
      const resumed = of();
      resumed.offer(ran({ span: paused }), 0);
      resumed.noteGraded(hop(1, { 'seamtrace.handoff.kind': 'human_to_agent' }), 1000);
      resumed.offer(ran({ handoffId: 'h-1', span: ref('answer', 60, 70, failed) }), 2000);
      expect(resumed.popDue(2 * HOUR).ends).toMatchObject([{ outcome }]);
      const again = of();
      again.offer(ran({ span: paused }), 0);
      again.offer(ran({ span: ref('root-2', 60, 70, failed) }), 2000);
      expect(again.popDue(2 * HOUR).ends).toMatchObject([{ outcome }]);
    }
    const cancelled = of();
    cancelled.offer(ran({ span: { ...paused, errorType: 'KeyboardInterrupt' } }), 0);
    expect(cancelled.popDue(HOUR).ends).toMatchObject([{ outcome: 'failed' }]);
  });

  it('is not told by the end of a run that a handoff started, nor of one that joined several', () => {
    const tasks = of();
    const joined = { 'seamtrace.handoff.target.name': 'c' };
    tasks.noteGraded(hop(1, joined, 'task-1', 'h-a'), 0);
    tasks.noteGraded(hop(1, joined, 'task-1', 'h-b'), 0);
    tasks.offer(ran({ handoffId: 'h-a', agent: 'b' }), 0);
    tasks.offer(ran({ agent: 'c', root: false, span: ref('join', 5, 6) }), 0);
    expect(tasks.popDue(HOUR - 1).ends).toEqual([]);
    expect(tasks.popDue(HOUR).ends).toMatchObject([{ outcome: 'silent' }]);
  });

  it('waits for the run to which a task was given away, and is as that run ended', () => {
    const give = { 'seamtrace.handoff.mode': 'transfer' };
    const taken = (failed: boolean, handoffId = 'h-1') => {
      const model = { role: 'destination', handoffId, task: 'task-1', attributes: give } as const;
      const span = handoffSpan({ ...model, span: { statusCode: failed ? 2 : 0 } });
      const result = extractEvidence(decodedSpan(span));
      if (!result.ok || result.evidence?.handoff === undefined) throw new Error('the span says nothing');
      return result.evidence.handoff;
    };
    for (const failed of [true, false]) {
      const tasks = of();
      tasks.offer(ran({ dispatchedIds: ['h-1'] }), 0);
      expect(tasks.popDue(10_000).ends).toEqual([]);
      tasks.noteGraded(hop(1, give), 20_000);
      expect(tasks.popDue(30_000).ends).toEqual([]);
      tasks.noteGraded(mergeRecords(hop(1, give), taken(failed)), 500_000);
      expect(tasks.popDue(509_999).ends).toEqual([]);
      expect(tasks.popDue(510_000).ends).toMatchObject([{ outcome: failed ? 'failed' : 'completed' }]);
    }
    const unseen = of();
    unseen.offer(ran({ dispatchedIds: ['h-1'] }), 0);
    unseen.noteGraded(hop(1, give), 0);
    expect(unseen.popDue(HOUR).ends).toMatchObject([{ outcome: 'silent' }]);
    const waited = of();
    waited.offer(ran({ dispatchedIds: ['h-1'] }), 0);
    waited.noteGraded(hop(1, { 'seamtrace.handoff.mode': 'delegation' }), 0);
    expect(waited.popDue(10_000).ends).toMatchObject([{ outcome: 'completed' }]);
  });

  it('is that of the first handoff for a task which is part of another', () => {
    const tasks = of();
    const part = { 'seamtrace.task.parent.id': 'task-0' };
    tasks.offer(ran({ handoffId: 'h-3', agent: 'c' }), 0);
    tasks.noteGraded(hop(3, part), 0);
    tasks.noteGraded(hop(4, part), 0);
    expect(tasks.popDue(10_000).ends).toMatchObject([{ outcome: 'completed', hops: 4 }]);
  });

  const human = { 'seamtrace.handoff.kind': 'agent_to_human' };
  it.each<[string, HandoffRecord[], boolean, string]>([
    ['completed', [hop(1)], false, 'completed'],
    ['failed with its root run', [hop(1)], true, 'failed'],
    ['escalated when a person was asked last', [hop(1), hop(2, human)], false, 'escalated'],
    ['escalated also where the asking run failed', [hop(1), hop(2, human)], true, 'escalated'],
    ['escalated when ingest gave up', [hop(1, { 'seamtrace.ingest.outcome': 'escalated' })], false, 'escalated'],
    [
      'completed when the person answered',
      [
        hop(2, human),
        hop(2, { 'seamtrace.handoff.leg': 'return', 'seamtrace.handoff.in_reply_to': 'h-2' }, 'task-1', 'back'),
      ],
      false,
      'completed',
    ],
    [
      'completed when the question was not let out',
      [hop(2, { ...human, 'seamtrace.dispatch.outcome': 'prevented' })],
      false,
      'completed',
    ],
  ])('is %s', (_what, records, failed, outcome) => {
    const tasks = of();
    for (const record of records) tasks.noteGraded(record, 0);
    tasks.offer(ran({ span: ref('root', 1, 50, failed) }), 0);
    expect(tasks.popDue(10_000).ends).toMatchObject([{ outcome }]);
  });

  it('counts a return leg for nothing, and takes the longest chain where no hop was stated', () => {
    const tasks = of();
    tasks.noteGraded(hop(9, { 'seamtrace.handoff.leg': 'return' }), 0);
    expect(tasks.popDue(HOUR).ends).toMatchObject([{ hops: undefined }]);
    const chain = of();
    for (const id of ['h-x', 'h-y', 'h-z']) chain.noteGraded(hop(undefined, {}, 'task-1', id), 0);
    chain.offer(ran({ dispatchedIds: ['h-x', 'h-z'] }), 0);
    chain.offer(ran({ handoffId: 'h-x', agent: 'b', dispatchedIds: ['h-y'], span: ref('x', 2, 3) }), 0);
    // An agent that runs itself again inside its run makes no handoff.
    chain.offer(ran({ handoffId: 'h-y', agent: 'c', span: ref('y', 3, 4) }), 0);
    chain.offer(ran({ handoffId: 'h-y', agent: 'c', root: false, span: ref('nested', 3, 4) }), 0);
    expect(chain.popDue(HOUR).ends).toMatchObject([{ hops: 2 }]);
  });

  it('is at its limit when the index reaches it', () => {
    const tasks = of();
    tasks.noteGraded(hop(5, { 'seamtrace.hop.limit': 6n }, 'under'), 0);
    tasks.noteGraded(hop(6, { 'seamtrace.hop.limit': 6n }, 'at'), 0);
    expect(tasks.popDue(HOUR).ends.map(({ atHopLimit }) => atHopLimit)).toEqual([false, true]);
  });

  it('is told once: a task that speaks again is counted apart, our own late grading is not', () => {
    let reopened = 0;
    const tasks = of({ reopened: () => (reopened += 1) });
    tasks.noteGraded(hop(1), 0);
    tasks.offer(ran(), 0);
    expect(tasks.popDue(10_000).ends).toHaveLength(1);
    tasks.noteGraded(hop(2), 20_000);
    expect(reopened).toBe(0);
    tasks.offer(called('look', 'a', undefined, 1), 30_000);
    expect(reopened).toBe(1);
    tasks.offer(ran({ span: ref('again', 60, 70) }), 30_001);
    expect(reopened).toBe(1);
    expect(tasks.popDue(50_000).ends).toEqual([]);
    expect(tasks.popDue(3 * HOUR).ends).toEqual([]);
    tasks.offer(ran(), 3 * HOUR);
    expect(reopened).toBe(2);
    expect(tasks.popDue(9 * HOUR).ends).toEqual([]);
  });

  it('comes early, without a word about how, to the task silent longest when there are too many', () => {
    const tasks = of({ maxTasks: 2 });
    tasks.noteGraded(hop(1, {}, 'a'), 0);
    tasks.noteGraded(hop(1, {}, 'b'), 1);
    tasks.noteGraded(hop(2, {}, 'a'), 2);
    tasks.noteGraded(hop(1, {}, 'c'), 3);
    expect(tasks.next()).toBeLessThanOrEqual(3);
    expect(tasks.popDue(3).ends).toEqual([{ taskId: 'b', outcome: undefined, hops: 1, atHopLimit: false }]);
    expect(tasks.size).toBe(2);
    expect(tasks.viewOf(hop(1, {}, 'b'))?.complete).toBe(false);
    expect(tasks.viewOf(hop(1, {}, 'a'))?.complete).toBe(true);
  });

  it('comes early also where all tasks together are too large', () => {
    const tasks = of({ maxTasks: 1000, maxBytes: 20_000 });
    for (let index = 0; index < 100; index += 1) {
      tasks.noteGraded(hop(1, {}, `task-${index}`), index);
      expect(tasks.bytes).toBeLessThan(21_000);
    }
    expect(tasks.size).toBeGreaterThan(10);
    expect(tasks.size + tasks.popDue(100).ends.length).toBe(100);
  });
});

describe('what is counted of a task', () => {
  const tokens = (amount: number) => ({ 'seamtrace.budget.consumed.tokens': BigInt(amount) });

  it('is what was spent between neighbouring hops, once, in any order, and nothing where a counter fell', () => {
    const tasks = of();
    expect(tasks.noteGraded(hop(3, tokens(500)), 0).spent).toEqual([]);
    expect(tasks.noteGraded(hop(1, tokens(100)), 0).spent).toEqual([]);
    expect(tasks.noteGraded(hop(2, tokens(250)), 0).spent).toEqual([
      { route: 'r1', counter: 'tokens', amount: 150 },
      { route: 'r2', counter: 'tokens', amount: 250 },
    ]);
    expect(tasks.noteGraded(hop(2, tokens(250)), 0).spent).toEqual([]);
    expect(tasks.noteGraded(hop(4, tokens(10)), 0).spent).toEqual([]);
  });

  it('is of parallel hops what the furthest of them says', () => {
    const tasks = of();
    tasks.noteGraded(hop(1, tokens(100)), 0);
    const amounts = [150, 180, 170].map((amount, number) =>
      tasks.noteGraded(hop(2, tokens(amount), 'task-1', `p-${number}`), 0).spent.map(({ amount: spent }) => spent),
    );
    expect(amounts).toEqual([[50], [30], []]);
  });

  it('is a replan when the third action of the consumer tells, and only once', () => {
    const tasks = of();
    tasks.offer(called('look', 'a', undefined, 1), 0);
    expect(tasks.noteGraded(hop(1), 0).replans).toEqual([]);
    tasks.offer(called('see', 'a', 'h-1', 10), 0);
    tasks.offer(called('see', 'b', 'h-1', 12), 0);
    expect(tasks.noteGraded(hop(1), 1).replans).toEqual([]);
    expect(tasks.offer(called('see', 'c', 'h-1', 14), 1)).toEqual([{ handoffId: 'h-1', attempt: 1, mode: false }]);
    expect(tasks.noteGraded(hop(1), 2).replans).toEqual([{ route: 'r1', replanned: 'false' }]);
    expect(tasks.noteGraded(hop(1), 3).replans).toEqual([]);
    expect(tasks.popDue(10 * HOUR).replans).toEqual([]);
  });

  it('is a replan exactly when it has waited long enough, by what is there', () => {
    const tasks = of({ replanMs: 600_000 });
    tasks.noteGraded(hop(1), 5);
    tasks.offer(called('see', undefined, 'h-1', 10), 5);
    expect(tasks.popDue(600_004).replans).toEqual([]);
    expect(tasks.popDue(600_005).replans).toEqual([{ route: 'r1', replanned: 'false' }]);
    const none = of({ replanMs: 600_000 });
    none.noteGraded(hop(1), 5);
    expect(none.popDue(600_005).replans).toEqual([{ route: 'r1', replanned: 'unknown' }]);
  });

  it('is escalations that were put, refused and answered, each once', () => {
    const tasks = of();
    const human = { 'seamtrace.handoff.kind': 'agent_to_human' };
    const put = hop(1, human);
    expect(tasks.noteGraded(put, 0).escalations).toEqual(['asked']);
    expect(tasks.noteGraded(put, 0).escalations).toEqual([]);
    const answer = hop(
      1,
      { 'seamtrace.handoff.leg': 'return', 'seamtrace.handoff.in_reply_to': 'h-1' },
      'task-1',
      'back',
    );
    expect(tasks.noteGraded(answer, 0).escalations).toEqual(['answered']);
    expect(tasks.noteGraded(answer, 0).escalations).toEqual([]);
    const refused = hop(2, { ...human, 'seamtrace.dispatch.outcome': 'prevented' });
    expect(tasks.noteGraded(refused, 0).escalations).toEqual(['refused']);
  });
});

describe('what may be graded again', () => {
  it('is every other attempt of the task when a hop joins, and none when it says nothing new', () => {
    const tasks = of();
    expect(tasks.noteGraded(hop(1), 0).affected).toEqual([]);
    expect(tasks.noteGraded(hop(2), 0).affected).toMatchObject([{ handoffId: 'h-1', attempt: 1 }]);
    expect(tasks.noteGraded(hop(2), 0).affected).toEqual([]);
    expect(tasks.noteGraded(hop(1, {}, 'task-2'), 0).affected).toEqual([]);
  });

  it('is of a model call only what a call can bear on', () => {
    const tasks = of();
    tasks.noteGraded(hop(1), 0);
    tasks.noteGraded(hop(2, { 'seamtrace.handoff.mode': 'transfer' }), 0);
    tasks.noteGraded(hop(3), 0);
    const modelCall = { taskId: 'task-1', runHandoffId: 'h-1', span: ref('m', 1, 2) };
    expect(tasks.offerPiece('task-1', { modelCall }, 0).map(({ handoffId }) => handoffId)).toEqual(['h-1', 'h-2']);
  });
});

it('keeps calls that name only their handoff until that tells the task', () => {
  const tasks = of({ maxOrphans: 2 });
  const { tool } = called('look', 'a', 'h-1', 1);
  tasks.offer(spoken({ tool: { ...tool!, taskId: undefined } }), 0);
  expect(tasks.viewOf(hop(1))?.toolsOf('h-1')).toEqual([]);
  tasks.noteGraded(hop(1), 0);
  expect(tasks.viewOf(hop(1))?.toolsOf('h-1')).toHaveLength(1);
});

it('learns from the place of a span in its trace what the span itself leaves out, in any order', () => {
  const stated = called('look', 'a', undefined, 1);
  const placed = spoken({ tool: { ...stated.tool!, runHandoffId: 'h-1' } });
  for (const order of [
    [stated, placed],
    [placed, stated],
  ]) {
    const tasks = of();
    for (const piece of order) tasks.offer(piece, 0);
    expect(tasks.viewOf(hop(1))?.toolsOf('h-1')).toHaveLength(1);
    expect(tasks.viewOf(hop(1))?.toolsOf(undefined)).toEqual([]);
  }
});

describe('a restart', () => {
  it('remembers an open task: what was told, what was counted, what may change', () => {
    const before = of();
    before.offer(called('look', 'é', undefined, 1), 0);
    before.noteGraded(hop(1, { 'seamtrace.budget.consumed.tokens': 1n }), 1);
    before.noteGraded(hop(2, { 'seamtrace.budget.consumed.tokens': 5n }), 2);
    const kept = before.takeChanges();
    expect(kept.map(({ key, at }) => [key, at])).toEqual([['task-1', 2]]);
    expect(before.takeChanges()).toEqual([]);
    const after = of();
    after.restore(kept, Infinity);
    expect(after.bytes).toBe(before.bytes);
    const view = after.viewOf(hop(1));
    expect(view?.hops).toEqual(before.viewOf(hop(1))?.hops);
    expect(view?.toolsOf(undefined)).toEqual(before.viewOf(hop(1))?.toolsOf(undefined));
    expect(after.noteGraded(hop(2, { 'seamtrace.budget.consumed.tokens': 5n }), 3)).toMatchObject({
      spent: [],
      affected: [],
    });
    expect(after.noteGraded(hop(3), 3).affected).toHaveLength(2);
    expect(after.popDue(HOUR + 3).ends).toMatchObject([{ hops: 3 }]);
  });

  it('does not tell an end twice, and forgets what was forgotten', () => {
    const before = of();
    before.noteGraded(hop(1), 0);
    before.offer(ran(), 0);
    before.popDue(10_000);
    const after = of();
    after.restore(before.takeChanges(), Infinity);
    expect(after.popDue(2 * HOUR).ends).toEqual([]);
    expect(after.takeChanges()).toMatchObject([{ key: 'task-1', state: undefined }]);
  });
});
