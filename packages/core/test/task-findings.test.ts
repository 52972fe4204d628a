import { createContracts } from '@seamtrace/contracts';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_THRESHOLDS,
  type DecodedSpan,
  type Finding,
  type FindingThresholds,
  createLedger,
} from '../src/index.js';
import { evidenceOf, type Attributes } from './spans.js';
import { type HopModel, digest, firstRun, hopSpans, modelCall, toolCall } from './task-spans.js';

const contracts = createContracts({
  version: 1,
  agents: { a: {}, b: {}, c: {}, d: {} },
  routes: {
    a_to_b: { from: 'a', to: 'b', version: '1', required: ['key'], replan_ignore: ['now'], idempotent: ['read'] },
    b_to_c: { from: 'b', to: 'c', version: '1', required: ['key'] },
  },
});

const NEEDS_TASK = new Set([
  'hop_counter_reset',
  'hop_limit_changed',
  'loop',
  'budget_reset',
  'budget_underreported',
  'dual_ownership',
  'envelope_growth',
  'unowned_result',
  'redundant_work',
  'repeated_effect',
  'goal_changed',
]);

/** Findings that need the task, by handoff; whatever order the spans come in. */
function found(
  spans: readonly DecodedSpan[],
  over: Partial<FindingThresholds> = {},
): Record<string, readonly Finding[]> {
  const grades = [spans, spans.toReversed(), [...spans, ...spans]].map((order) => {
    const ledger = createLedger({ contracts, thresholds: { ...DEFAULT_THRESHOLDS, ...over } });
    for (const evidence of evidenceOf(order)) ledger.add(evidence);
    const findings = ledger.grade().map((grade) => {
      const needing = grade.findings.filter(({ id }) => NEEDS_TASK.has(id));
      return [grade.attempt === 1 ? grade.handoff_id : `${grade.handoff_id}~${grade.attempt}`, needing] as const;
    });
    return Object.fromEntries(findings.filter(([, needing]) => needing.length > 0));
  });
  expect(grades[1]).toEqual(grades[0]);
  expect(grades[2]).toEqual(grades[0]);
  return grades[0]!;
}

function ids(spans: readonly DecodedSpan[], over?: Partial<FindingThresholds>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(found(spans, over)).map(([key, list]) => [key, list.map(({ id }) => id)]));
}

/** Hops along one path, each dispatched within the run that the one before started; five seconds apart. */
function line(agents: readonly string[], each: (index: number) => Partial<HopModel> = () => ({})): DecodedSpan[] {
  return agents.slice(1).flatMap((_agent, number) => {
    const start = number * 10;
    return hopSpans({
      id: `hop-${number + 1}`,
      path: agents.slice(0, number + 2),
      dispatch: [start + 4, start + 5],
      ingest: [start + 6, start + 7],
      run: [start + 6, start + 30],
      dispatched: number + 2 < agents.length ? [`hop-${number + 2}`] : [],
      more: {},
      ...each(number + 1),
    });
  });
}

describe('hop_counter_reset', () => {
  it('is found where a wrapper within a run starts again at hop 1', () => {
    const listed = line(['a', 'b', 'c'], (index) => (index === 2 ? { index: 1 } : {}));
    expect(found(listed)).toEqual({
      'hop-2': [{ id: 'hop_counter_reset', detail: { index: 1, earlier_index: 1, earlier_handoff_id: 'hop-1' } }],
    });
  });

  it('is found where only the paths say what came before', () => {
    const byPath = line(['a', 'b', 'c'], (index) => ({ dispatched: [], ...(index === 2 ? { index: 1 } : {}) }));
    expect(ids(byPath)).toEqual({ 'hop-2': ['hop_counter_reset'] });
  });

  it('is found where only the place of the dispatch in its trace says under which handoff it stands', () => {
    const [first = [], second = []] = [1, 2].map((index) =>
      hopSpans({
        id: `hop-${index}`,
        path: ['a', 'b'],
        index: 3 - index,
        statePath: false,
        dispatch: [index, index + 1],
      }),
    );
    expect(ids([...first, ...second])).toEqual({});
    const ledger = createLedger({ contracts });
    for (const evidence of evidenceOf([...first, ...second])) {
      const { handoff } = evidence;
      const facts = { ...handoff?.facts, parentHandoff: { values: ['hop-1'], more: false } };
      const under = handoff?.handoffId === 'hop-2' ? { ...evidence, handoff: { ...handoff, facts } } : evidence;
      ledger.add(under);
    }
    expect(ledger.grade()[1]?.findings.map(({ id }) => id)).toContain('hop_counter_reset');
  });

  it('is found where counter and path both start again, at an agent to whom the task was handed', () => {
    const again = hopSpans({ id: 'hop-x', path: ['b', 'c'], dispatch: [40, 41], run: [42, 50] });
    expect(ids([...line(['a', 'b', 'c']), ...again])).toEqual({ 'hop-x': ['hop_counter_reset'] });
    expect(ids([...line(['a', 'b', 'c']), ...again, firstRun({ agent: 'b', times: [39, 60] })])).toEqual({});
    const zero = hopSpans({ id: 'hop-0', path: ['z', 'b'], index: 0, dispatch: [0, 1] });
    expect(ids([...line(['a', 'b', 'c']), ...again, ...zero])).toEqual({});
  });

  it.each<[string, DecodedSpan[]]>([
    ['a counter that rises', line(['a', 'b', 'c', 'd'])],
    [
      'an attempt',
      [
        ...line(['a', 'b', 'c']),
        ...hopSpans({ id: 'hop-2', attempt: 2, path: ['a', 'b', 'c'], index: 1, dispatch: [40, 41] }),
      ],
    ],
    [
      'a retry under a new id',
      [
        ...line(['a', 'b', 'c']),
        ...hopSpans({
          id: 'hop-x',
          path: ['b', 'c'],
          dispatch: [40, 41],
          more: { 'seamtrace.handoff.retry_of': 'hop-2' },
        }),
      ],
    ],
    [
      'a return leg',
      [
        ...line(['a', 'b', 'c']),
        ...hopSpans({
          id: 'hop-x',
          path: ['c', 'b'],
          dispatch: [40, 41],
          more: { 'seamtrace.handoff.leg': 'return', 'seamtrace.handoff.in_reply_to': 'hop-2' },
        }),
      ],
    ],
    [
      'a second delegation of the first agent',
      [
        ...line(['a', 'b']),
        ...hopSpans({ id: 'hop-x', path: ['a', 'c'], dispatch: [40, 41] }),
        ...hopSpans({ id: 'hop-y', path: ['a', 'b'], dispatch: [50, 51] }),
      ],
    ],
    [
      'a re-execution that states another index',
      line(['a', 'b', 'c']).concat(
        hopSpans({
          id: 'hop-2',
          path: ['a', 'b', 'c'],
          index: 1,
          run: [60, 61],
          more: { 'seamtrace.handoff.execution': 2n },
        }),
      ),
    ],
    [
      'another task',
      [...line(['a', 'b', 'c']), ...hopSpans({ id: 'hop-x', path: ['b', 'c'], task: 'task-2', dispatch: [40, 41] })],
    ],
    [
      'masked names',
      [...line(['a', '***', 'c']), ...hopSpans({ id: 'hop-x', path: ['***', 'c'], dispatch: [40, 41] })],
    ],
  ])('is not found for %s', (_what, spans) => {
    expect(ids(spans)).toEqual({});
  });
});

describe('hop_limit_changed', () => {
  const limits = (...each: readonly (number | undefined)[]) =>
    line(['a', 'b', 'c', 'd'], (index) => ({ ...(each[index - 1] === undefined ? {} : { limit: each[index - 1]! }) }));

  it('is found on every hop whose limit is not the first one', () => {
    expect(ids(limits(9, 9, 20))).toEqual({ 'hop-3': ['hop_limit_changed'] });
    expect(found(limits(9, 8, 9))).toEqual({
      'hop-2': [{ id: 'hop_limit_changed', detail: { limit: 8, first_limit: 9 } }],
    });
  });

  it('is not found for equal or unknown limits, nor where the first hop is not seen', () => {
    expect(ids(limits(9, 9, 9))).toEqual({});
    expect(ids(limits(undefined, 9, 8))).toEqual({});
    expect(ids(limits(9, undefined, undefined))).toEqual({});
    const unseen = hopSpans({ id: 'hop-5', path: ['a', 'x', 'b', 'c'], limit: 4, dispatch: [1, 2] });
    expect(ids([...limits(9, 9, 9), ...unseen])).toEqual({});
  });

  it('is not found between two first hops that nobody can order', () => {
    const two = ['h-1', 'h-2'].flatMap((id, number) =>
      hopSpans({ id, path: ['a', 'b'], limit: 5 + number, dispatch: [number, number + 1] }),
    );
    expect(ids(two)).toEqual({});
  });
});

describe('loop by state', () => {
  const states = (letters: string, more: (index: number) => Partial<HopModel> = () => ({})) =>
    line(['a', 'b', 'a', 'b'].slice(0, letters.length + 1), (index) => {
      const other = more(index);
      return { ...other, more: { 'seamtrace.state.digest': digest(letters[index - 1]!), ...other.more } };
    });

  it('is found where a state stands earlier on the path', () => {
    expect(found(states('aba'))).toEqual({
      'hop-3': [{ id: 'loop', detail: { by: 'state', hops: 2, earlier_handoff_id: 'hop-1' } }],
    });
    expect(ids(states('aa'))).toEqual({ 'hop-2': ['loop'] });
  });

  it('is not found where the state went on, or the digests do not compare', () => {
    expect(ids(states('abc'))).toEqual({});
    const other = digest('a', 'k2');
    const rotated = states('ab').concat(
      hopSpans({
        id: 'hop-3',
        path: ['a', 'b', 'a', 'b'],
        dispatch: [24, 25],
        more: { 'seamtrace.state.digest': other },
      }),
    );
    expect(ids(rotated)).toEqual({});
    const shortened = line(['a', 'b', 'a'], () => ({ more: { 'seamtrace.state.digest': digest('a').slice(0, 20) } }));
    expect(ids(shortened)).toEqual({});
  });

  it('is not found beside the path: a supervisor delegates the same twice', () => {
    const twice = ['h-1', 'h-2'].flatMap((id, number) =>
      hopSpans({
        id,
        path: ['a', 'b'],
        dispatch: [number * 10, number * 10 + 1],
        run: [number * 10 + 2, number * 10 + 3],
        more: { 'seamtrace.state.digest': digest('a') },
      }),
    );
    expect(ids([...twice, firstRun({ agent: 'a', times: [0, 60], dispatched: ['h-1', 'h-2'] })])).toEqual({});
  });

  it('does not count hops that were interrupted, cancelled or not dispatched', () => {
    for (const error of ['GraphInterrupt', 'CancelledError', 'AbortError']) {
      const cut = states('aba', (index) => (index === 1 ? { failed: true, runMore: { 'error.type': error } } : {}));
      expect(ids(cut)).toEqual({});
    }
    for (const outcome of ['prevented', 'dropped']) {
      const never = states('aba', (index) => (index === 1 ? { more: { 'seamtrace.dispatch.outcome': outcome } } : {}));
      expect(ids(never)).toEqual({});
    }
  });

  it('does not count hops of an earlier run of the same task', () => {
    const earlier = hopSpans({
      id: 'old-1',
      path: ['a', 'b'],
      run: [1, 2],
      more: { 'seamtrace.state.digest': digest('c') },
    }).map((span) => ({ ...span, traceId: 'b'.repeat(32) }));
    const now = [
      firstRun({ agent: 'a', times: [0, 3] }),
      firstRun({ agent: 'a', times: [100, 200] }),
      ...hopSpans({
        id: 'new-2',
        path: ['a', 'b', 'c'],
        dispatch: [120, 121],
        more: { 'seamtrace.state.digest': digest('c') },
      }),
    ];
    expect(ids([...earlier, ...now])).toEqual({});
    // The first runs are not seen: the dispatch stands neither in the trace of the old run, nor in its time.
    expect(ids([...earlier, ...now.slice(2)])).toEqual({});
    const lasting = earlier.map((span) => ({ ...span, endUnixNano: 130_000_000_000n }));
    expect(ids([...lasting, ...now.slice(2)])).toEqual({ 'new-2': ['loop'] });
  });
});

describe('loop by routes', () => {
  const ring = (hops: number, each: (index: number) => Partial<HopModel> = () => ({})) =>
    line(
      Array.from({ length: hops + 1 }, (_, index) => (index % 2 === 0 ? 'a' : 'b')),
      each,
    );

  it('is found when the same round was walked twice with no new tool call between', () => {
    expect(ids(ring(3))).toEqual({});
    expect(found(ring(4))).toEqual({ 'hop-4': [{ id: 'loop', detail: { by: 'route', hops: 2, rounds: 2 } }] });
  });

  it('is found from as many rounds on as the threshold says', () => {
    expect(ids(ring(5), { loopRounds: 3 })).toEqual({});
    expect(ids(ring(6), { loopRounds: 3 })).toEqual({ 'hop-6': ['loop'] });
  });

  it('is not found after a new tool call, one of unknown arguments, or a run whose end was not seen', () => {
    const work = (args: string | undefined, run = 'hop-3') => toolCall('search', args, { run, times: [27, 28] });
    expect(ids([...ring(4), work(digest('1'))])).toEqual({});
    expect(ids([...ring(4), work(undefined)])).toEqual({});
    expect(ids(ring(4, (index) => (index === 3 ? { run: undefined as never } : {})))).toEqual({});
    const before = toolCall('search', digest('1'), { times: [1, 2] });
    expect(ids([...ring(4), before, work(digest('1'))])['hop-4']).toContain('loop');
  });

  it('is not found where hops state their state, and it differs', () => {
    const stamped = ring(4, (index) => ({ more: { 'seamtrace.state.digest': digest(String(index)) } }));
    expect(ids(stamped)).toEqual({});
    expect(ids(ring(4, (index) => (index === 2 ? { more: { 'seamtrace.state.digest': digest('2') } } : {})))).toEqual(
      {},
    );
  });
});

describe('budgets', () => {
  const consumed = (counter: string, amount: number, limit?: number): Attributes => ({
    [`seamtrace.budget.consumed.${counter}`]: BigInt(amount),
    ...(limit === undefined ? {} : { [`seamtrace.budget.limit.${counter}`]: BigInt(limit) }),
  });
  const tokens = (...amounts: readonly number[]) =>
    line(['a', 'b', 'c', 'd'].slice(0, amounts.length + 1), (index) => ({
      more: consumed('tokens', amounts[index - 1]!),
    }));

  it('budget_reset: a counter falls along the path, and equal is not fallen', () => {
    expect(found(tokens(100, 99))).toEqual({ 'hop-2': [{ id: 'budget_reset', detail: { counters: ['tokens'] } }] });
    expect(ids(tokens(100, 100))).toEqual({});
    expect(ids(tokens(100, 10, 50))).toEqual({ 'hop-2': ['budget_reset'] });
  });

  it('budget_reset: not for a slice with a limit of its own, and not beside the path', () => {
    const slice = line(['a', 'b', 'c'], (index) => ({
      more: index === 1 ? consumed('tokens', 100, 1000) : consumed('tokens', 0, 50),
    }));
    expect(ids(slice)).toEqual({});
    const beside = [
      ...tokens(100),
      ...hopSpans({ id: 'other', path: ['a', 'c'], dispatch: [60, 61], more: consumed('tokens', 5) }),
    ];
    expect(ids(beside)).toEqual({});
  });

  it('budget_underreported: tool calls that were over at the dispatch', () => {
    const calls = [1, 2, 3].map((second) => toolCall('search', undefined, { times: [second, second + 0.5] }));
    const handed = (stated: number) => [
      firstRun({ agent: 'a', times: [0, 30], dispatched: ['hop-1'] }),
      ...calls,
      toolCall('search', undefined, { times: [0.2, 0.4], failed: true }),
      toolCall('transfer_to_b', undefined, { times: [3, 3.5] }),
      toolCall('search', undefined, { times: [3.9, 4.1] }),
      ...line(['a', 'b'], () => ({ more: consumed('tool_calls', stated) })),
    ];
    expect(found(handed(2))).toEqual({
      'hop-1': [
        { id: 'budget_underreported', detail: { counters: [{ counter: 'tool_calls', stated: 2, observed: 3 }] } },
      ],
    });
    expect(ids(handed(3))).toEqual({});
  });

  it('budget_underreported: time up to the dispatch, less the tolerance', () => {
    const stated = (milliseconds: number) => [
      firstRun({ agent: 'a', times: [0, 30], dispatched: ['hop-1'] }),
      ...line(['a', 'b'], () => ({ more: consumed('wall_clock_ms', milliseconds) })),
    ];
    expect(ids(stated(3599))).toEqual({ 'hop-1': ['budget_underreported'] });
    expect(ids(stated(3600))).toEqual({});
    expect(ids(stated(3999), { budgetToleranceShare: 0 })).toEqual({ 'hop-1': ['budget_underreported'] });
    expect(ids(stated(4000), { budgetToleranceShare: 0 })).toEqual({});
  });

  it('budget_underreported: tokens of a run that gave the task away, and of no other', () => {
    const usage = { 'gen_ai.usage.input_tokens': 800n, 'gen_ai.usage.output_tokens': 200n };
    const stated = (amount: number, mode = 'transfer', end = 6) => [
      firstRun({ agent: 'a', times: [0, end], dispatched: ['hop-1'], more: usage }),
      ...line(['a', 'b'], () => ({ more: { ...consumed('tokens', amount), 'seamtrace.handoff.mode': mode } })),
    ];
    expect(ids(stated(899))).toEqual({ 'hop-1': ['budget_underreported'] });
    expect(ids(stated(900))).toEqual({});
    expect(ids(stated(10, 'delegation'))).toEqual({});
    expect(ids(stated(10, 'transfer', 99))).toEqual({});
  });
});

describe('dual_ownership', () => {
  interface Scene {
    readonly mode?: string;
    readonly turn?: readonly [number, number];
    readonly tool?: readonly [number, number];
    readonly task?: string;
    readonly dispatched?: readonly string[];
    readonly outcome?: string;
    readonly more?: readonly DecodedSpan[];
  }
  /** a hands to b at 5, b takes it by 7; a's next model turn ends at 9 and its tool runs from 10. */
  const scene = ({
    mode = 'transfer',
    turn = [8, 9],
    tool = [10, 11],
    task,
    dispatched = ['hop-1'],
    outcome,
    more = [],
  }: Scene) => [
    firstRun({ agent: 'a', times: [0, 60], dispatched }),
    modelCall({ times: [1, 3] }),
    modelCall({ times: turn }),
    toolCall('refund', undefined, { times: tool, ...(task === undefined ? {} : { task }) }),
    ...line(['a', 'b'], () => ({
      more: {
        'seamtrace.handoff.mode': mode,
        ...(outcome === undefined ? {} : { 'seamtrace.ingest.outcome': outcome }),
      },
    })),
    ...more,
  ];
  const reply = (ingest: readonly [number, number]) =>
    hopSpans({
      id: 'back-1',
      path: ['b', 'a'],
      ingest,
      more: { 'seamtrace.handoff.leg': 'return', 'seamtrace.handoff.in_reply_to': 'hop-1' },
    });

  it('is found when a tool of a new model turn ran after a transfer', () => {
    expect(found(scene({}))).toEqual({
      'hop-1': [{ id: 'dual_ownership', detail: { mode: 'transfer', tools: ['refund'] } }],
    });
    expect(ids(scene({ outcome: 'accepted' }))).toEqual({ 'hop-1': ['dual_ownership'] });
  });

  it('is found when it ran between dispatch and return of a delegation', () => {
    const mode = 'delegation';
    expect(ids(scene({ mode, more: reply([20, 21]) }))).toEqual({ 'hop-1': ['dual_ownership'] });
    expect(ids(scene({ mode, more: reply([10.001, 21]) }))).toEqual({ 'hop-1': ['dual_ownership'] });
    expect(ids(scene({ mode, more: reply([10, 21]) }))).toEqual({});
    expect(ids(scene({ mode }))).toEqual({});
    const waiting = [toolCall('ask_b', undefined, { times: [3.5, 30] })];
    expect(ids(scene({ mode, more: waiting }))).toEqual({ 'hop-1': ['dual_ownership'] });
  });

  it.each<[string, Scene]>([
    ['of an unknown mode', { mode: 'somehow' }],
    ['by a call of the turn that handed over', { turn: [50, 51] }],
    ['by a turn that was under way at the dispatch', { turn: [4.999, 9] }],
    ['by a call that ran before its turn ended', { turn: [8, 10.001] }],
    ['of a subtask with an id of its own', { task: 'task-2' }],
    ['while another delegation runs in parallel', { dispatched: ['hop-1', 'hop-2'] }],
    ['before the target took it, by whatever clock', { turn: [5, 5.5], tool: [6, 6.5] }],
    ['of a handoff that was rejected', { outcome: 'rejected' }],
  ])('is not found %s', (_what, model) => {
    expect(ids(scene(model))).toEqual({});
  });

  it('is not found for steps inside a tool call that the handing turn had made', () => {
    const steps = [toolCall('sub_agent', undefined, { times: [4.5, 40] })];
    expect(ids(scene({ more: steps }))).toEqual({});
  });

  it('is not found where no run is known to have handed over', () => {
    expect(ids(scene({ dispatched: [] }).filter((span) => span.endUnixNano !== 60_000_000_000n))).toEqual({});
  });
});

describe('envelope_growth', () => {
  const sizes = (...bytes: readonly (number | undefined)[]) =>
    line(['a', 'b', 'c', 'd', 'e'].slice(0, bytes.length + 1), (index) => {
      const size = bytes[index - 1];
      return { more: size === undefined ? {} : { 'seamtrace.payload.size': BigInt(size) } };
    });

  it('is found where the size rose over three hops by more than the threshold a hop', () => {
    expect(found(sizes(1000, 1513, 2026))).toEqual({
      'hop-3': [{ id: 'envelope_growth', detail: { bytes: [1000, 1513, 2026], bytes_per_hop: 513 } }],
    });
    expect(ids(sizes(1000, 1512, 2024))).toEqual({});
    expect(ids(sizes(1000, 1512, 2025))).toEqual({ 'hop-3': ['envelope_growth'] });
  });

  it('needs a rise at every one of as many hops as the threshold says', () => {
    expect(ids(sizes(1000, 9000))).toEqual({});
    expect(ids(sizes(1000, 9000), { envelopeGrowthHops: 2 })).toEqual({ 'hop-2': ['envelope_growth'] });
    expect(ids(sizes(1000, 9000, 9000))).toEqual({});
    expect(ids(sizes(1000, undefined, 9000, 90_000))).toEqual({});
  });
});

describe('goal_changed', () => {
  it('compares with the first hop of the chain', () => {
    const goals = (...letters: readonly string[]) =>
      line(['a', 'b', 'c', 'd'].slice(0, letters.length + 1), (index) => ({
        more: { 'seamtrace.goal.digest': letters[index - 1]! },
      }));
    expect(ids(goals(digest('a'), digest('a'), digest('b')))).toEqual({ 'hop-3': ['goal_changed'] });
    expect(ids(goals(digest('a'), digest('a'), digest('b', 'k2')))).toEqual({});
    expect(ids(goals(digest('a'), digest('b'), digest('a')))).toEqual({ 'hop-2': ['goal_changed'] });
  });
});

describe('redundant_work', () => {
  const scene = (earlier: Parameters<typeof toolCall>, later: Parameters<typeof toolCall>, route = 'a_to_b') => [
    firstRun({ agent: 'a', times: [0, 60], dispatched: ['hop-1'] }),
    ...line(['a', 'b'], () => ({ more: { 'seamtrace.handoff.route': route } })),
    toolCall(...earlier),
    toolCall(...later),
  ];
  const consumer = { run: 'hop-1', times: [10, 12] } as const;

  it('is found where the consumer repeats a call that had succeeded before the dispatch', () => {
    const spans = scene(['look', digest('1'), { times: [1, 2] }], ['look', digest('1'), consumer]);
    expect(found(spans)).toEqual({ 'hop-1': [{ id: 'redundant_work', detail: { calls: 1, tools: ['look'] } }] });
  });

  it.each<[string, Parameters<typeof toolCall>, Parameters<typeof toolCall>]>([
    ['other arguments', ['look', digest('1'), { times: [1, 2] }], ['look', digest('2'), consumer]],
    ['another tool', ['look', digest('1'), { times: [1, 2] }], ['see', digest('1'), consumer]],
    ['a call that failed', ['look', digest('1'), { times: [1, 2], failed: true }], ['look', digest('1'), consumer]],
    ['a call made after the dispatch', ['look', digest('1'), { times: [40, 41] }], ['look', digest('1'), consumer]],
    ['arguments that were not captured', ['look', undefined, { times: [1, 2] }], ['look', digest('1'), consumer]],
    ['digests of two keys', ['look', digest('1', 'k2'), { times: [1, 2] }], ['look', digest('1'), consumer]],
    ['a tool that the contract ignores', ['now', digest('1'), { times: [1, 2] }], ['now', digest('1'), consumer]],
    ['a transfer tool', ['transfer_to_b', digest('1'), { times: [1, 2] }], ['transfer_to_b', digest('1'), consumer]],
    ['another task', ['look', digest('1'), { times: [1, 2], task: 'task-2' }], ['look', digest('1'), consumer]],
  ])('is not found for %s', (_what, earlier, later) => {
    expect(ids(scene(earlier, later))).toEqual({});
  });
});

describe('repeated_effect', () => {
  const executions = (tool: string, args: readonly (string | undefined)[], more: Attributes = {}, second = 2n) => [
    ...hopSpans({
      id: 'hop-1',
      path: ['a', 'b'],
      run: [0, 10],
      more: { 'seamtrace.handoff.route': 'a_to_b', ...more },
    }),
    ...hopSpans({
      id: 'hop-1',
      path: ['a', 'b'],
      run: [20, 30],
      more: { 'seamtrace.handoff.route': 'a_to_b', ...more, 'seamtrace.handoff.execution': second },
    }),
    toolCall(tool, args[0], { run: 'hop-1', times: [1, 2] }),
    toolCall(tool, args[1], { run: 'hop-1', times: [21, 22] }),
  ];

  it('is found where both executions of an attempt ran one tool with equal arguments', () => {
    expect(found(executions('send', [digest('1'), digest('1')]))).toEqual({
      'hop-1': [{ id: 'repeated_effect', detail: { tools: ['send'] } }],
    });
  });

  it('is not found for idempotent tools, other or unknown arguments, one execution, or a contract without the list', () => {
    expect(ids(executions('read', [digest('1'), digest('1')]))).toEqual({});
    expect(ids(executions('send', [digest('1'), digest('2')]))).toEqual({});
    expect(ids(executions('send', [undefined, undefined]))).toEqual({});
    expect(ids(executions('send', [digest('1'), digest('1')], {}, 1n))).toEqual({});
    expect(ids(executions('send', [digest('1'), digest('1')], { 'seamtrace.handoff.route': 'b_to_c' }))).toEqual({});
  });
});

describe('unowned_result', () => {
  const scene = (
    owner: string,
    modes: readonly string[] = ['transfer', 'transfer'],
    more: readonly DecodedSpan[] = [],
  ) => [
    firstRun({ agent: 'a', times: [0, 60], dispatched: ['hop-1'] }),
    ...line(['a', 'b', 'c'], (index) => ({
      more: { 'seamtrace.handoff.mode': modes[index - 1]!, 'seamtrace.task.owner': owner },
    })),
    ...more,
  ];

  it('is found where a completed task ended with an agent that does not own it', () => {
    expect(found(scene('d'))).toEqual({
      'hop-2': [{ id: 'unowned_result', detail: { owner: 'd', ended_with: 'c' } }],
    });
  });

  it('is not found where the owner had it last, waits for it, got it back, or the task did not end', () => {
    expect(ids(scene('c'))).toEqual({});
    expect(ids(scene('a', ['delegation', 'transfer']))).toEqual({});
    const back = hopSpans({
      id: 'back',
      path: ['c', 'd'],
      dispatch: [40, 41],
      more: { 'seamtrace.handoff.leg': 'return' },
    });
    expect(ids(scene('d', undefined, back))).toEqual({});
    expect(ids(scene('d').slice(1))).toEqual({});
    const failed = [
      firstRun({ agent: 'a', times: [0, 60], dispatched: ['hop-1'], failed: true }),
      ...scene('d').slice(1),
    ];
    expect(ids(failed)).toEqual({});
  });
});

describe('a task that is not wholly kept', () => {
  it('accuses nobody by what it no longer knows', () => {
    const many = Array.from({ length: 65 }, (_, index) =>
      hopSpans({ id: `side-${index}`, path: ['a', 'd'], dispatch: [index, index + 1] }),
    ).flat();
    const reset = line(['a', 'b', 'c'], (index) => (index === 2 ? { index: 1 } : {}));
    expect(ids([...reset, ...many])).toEqual({});
    expect(ids([...reset, ...many.slice(0, 60)])).toEqual({ 'hop-2': ['hop_counter_reset'] });
  });
});
