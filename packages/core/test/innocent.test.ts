import { createContracts } from '@seamtrace/contracts';
import { describe, expect, it } from 'vitest';
import { type DecodedSpan, createLedger } from '../src/index.js';
import { type Attributes, evidenceOf, passing, span, stage } from './spans.js';
import { type HopModel, digest, firstRun, hopSpans, modelCall, toolCall } from './task-spans.js';

// Traces of teams that did nothing wrong, each once taken for a fault. Beside each stands the fault that it resembles.

const contracts = createContracts({
  version: 1,
  agents: { a: {}, b: {}, c: {}, triage: {}, billing: {} },
  routes: {
    a_to_b: { from: 'a', to: 'b', version: '1', required: ['key'], read_back: true },
    b_to_c: { from: 'b', to: 'c', version: '1', required: ['key'] },
    c_to_a: { from: 'c', to: 'a', version: '1', required: ['key'] },
    triage_to_billing: { from: 'triage', to: 'billing', version: '2', required: ['customer_id', 'invoice_id'] },
  },
});

/** All findings, by handoff and attempt. */
function found(...spans: readonly (readonly DecodedSpan[])[]): Record<string, readonly string[]> {
  const ledger = createLedger({ contracts });
  for (const evidence of evidenceOf(spans.flat())) ledger.add(evidence);
  const graded = ledger.grade().filter(({ findings }) => findings.length > 0);
  return Object.fromEntries(
    graded.map(({ handoff_id, attempt, findings }) => [`${handoff_id}~${attempt}`, findings.map(({ id }) => id)]),
  );
}

const ROOT = 'e'.repeat(16);
const [TRACE_B, TRACE_C] = ['b', 'c'].map((letter) => letter.repeat(32)) as [string, string];

/** The same spans with those of one role below another parent. */
function below(parentSpanId: string, role: string, spans: readonly DecodedSpan[]): DecodedSpan[] {
  return spans.map((one) => (one.attributes.get('seamtrace.handoff.role') === role ? { ...one, parentSpanId } : one));
}

const inTrace = (traceId: string, ...spans: readonly (readonly DecodedSpan[])[]) =>
  spans.flat().map((one) => ({ ...one, traceId }));

describe('a supervisor that works in one long run', () => {
  const more: Attributes = { 'seamtrace.handoff.mode': 'transfer' };
  const root = [{ ...firstRun({ agent: 'a', times: [0, 100] }), spanId: ROOT }];
  const listed = [{ ...firstRun({ agent: 'a', times: [0, 100], dispatched: ['out-1'] }), spanId: ROOT }];
  const out = (dispatched: readonly string[] = []) =>
    below(
      ROOT,
      'dispatch',
      hopSpans({ id: 'out-1', path: ['a', 'b'], dispatch: [4, 5], ingest: [6, 7], run: [6, 20], dispatched, more }),
    );
  const back = (over: Partial<HopModel> = {}) =>
    below(
      ROOT,
      'ingest',
      hopSpans({ id: 'back-1', path: ['a', 'b', 'a'], dispatch: [18, 19], ingest: [21, 21.5], more, ...over }),
    );
  const worksOn = [
    modelCall({ times: [1, 2] }),
    modelCall({ times: [22, 23] }),
    toolCall('note', undefined, { times: [24, 25] }),
  ];
  const charged = (given: Record<string, readonly string[]>) =>
    Object.fromEntries(
      Object.entries(given)
        .map(([key, ids]) => [key, ids.filter((id) => id !== 'undeclared_route' && id !== 'never_accepted')] as const)
        .filter(([, ids]) => ids.length > 0),
    );

  it('dispatches nothing from a handoff that it ingested later in that run', () => {
    expect(charged(found(root, out(), back(), worksOn))).toEqual({});
    // Alone: the second ingest that would show that the run was started by neither is lost.
    const again = below(
      ROOT,
      'dispatch',
      hopSpans({ id: 'out-2', path: ['a', 'b', 'a', 'b'], dispatch: [30, 31], more }),
    );
    expect(charged(found(root, out(), back(), again))).toEqual({});
  });

  it('owns its task again when it has got it back, by a return or by another transfer', () => {
    expect(charged(found(listed, out(), worksOn))).toEqual({ 'out-1~1': ['dual_ownership'] });
    expect(charged(found(listed, out(), back(), worksOn))).toEqual({});
    const reply = { ...more, 'seamtrace.handoff.leg': 'return', 'seamtrace.handoff.in_reply_to': 'out-1' };
    expect(charged(found(listed, out(), back({ more: reply }), worksOn))).toEqual({});
    // When it got it back is not known where only the dispatch, or only its id, was seen.
    const unseen = hopSpans({ id: 'back-1', path: ['a', 'b', 'a'], dispatch: [18, 19], more });
    expect(charged(found(listed, out(), unseen, worksOn))).toEqual({});
    expect(charged(found(listed, out(['back-1']), worksOn))).toEqual({});
    // Another run of the agent took it: this one goes on without owning it.
    const elsewhere = hopSpans({ id: 'back-1', path: ['a', 'b', 'a'], dispatch: [18, 19], run: [20, 30], more });
    expect(charged(found(listed, out(), elsewhere, worksOn))).toEqual({ 'out-1~1': ['dual_ownership'] });
  });
});

describe('a session that goes on the next day under the same task', () => {
  const monday = hopSpans({ id: 'mon-1', path: ['a', 'b'], dispatch: [4, 5], ingest: [6, 7], run: [6, 30] });
  const tuesday = hopSpans({ id: 'tue-1', path: ['b', 'c'], dispatch: [86_404, 86_405], run: [86_406, 86_430] });

  it('sets no hop counter back where it starts at the agent that was active last', () => {
    expect(found(monday, inTrace(TRACE_B, tuesday))).toEqual({});
    const within = hopSpans({ id: 'tue-1', path: ['b', 'c'], dispatch: [24, 25], run: [26, 29] });
    expect(found(monday, within)).toEqual({ 'tue-1~1': ['hop_counter_reset'] });
  });

  it('continues no path of a run that cannot have dispatched it', () => {
    const later = hopSpans({ id: 'tue-1', path: ['a', 'b', 'c'], index: 1, dispatch: [86_404, 86_405] });
    expect(found(monday, inTrace(TRACE_B, later))).toEqual({});
    expect(found(monday, later)).toEqual({ 'tue-1~1': ['hop_counter_reset'] });
  });

  it('redoes nothing by what its first agent calls afterwards', () => {
    const more: Attributes = { 'seamtrace.handoff.mode': 'transfer' };
    const unseen = hopSpans({ id: 'mon-1', path: ['a', 'b'], ingest: [6, 7], run: [6, 30], more });
    const did = toolCall('look', digest('1'), { run: 'mon-1', times: [8, 9] });
    const again = [
      firstRun({ agent: 'a', times: [86_400, 86_410] }),
      toolCall('look', digest('1'), { times: [86_401, 86_402] }),
    ];
    const silent = (given: Record<string, readonly string[]>) => given['mon-1~1'] ?? [];
    expect(silent(found(unseen, [did], inTrace(TRACE_B, again)))).not.toContain('redundant_work');
    const before = [
      firstRun({ agent: 'a', times: [0, 5], dispatched: ['mon-1'] }),
      toolCall('look', digest('1'), { times: [1, 2] }),
    ];
    expect(silent(found(unseen, [did], before))).toContain('redundant_work');
  });
});

describe('budgets', () => {
  const consumed = (counter: string, amount: number, limit?: number): Attributes => ({
    [`seamtrace.budget.consumed.${counter}`]: BigInt(amount),
    ...(limit === undefined ? {} : { [`seamtrace.budget.limit.${counter}`]: BigInt(limit) }),
  });

  it('a slice is one also where only it states a limit', () => {
    const hops = (limit?: number) => [
      ...hopSpans({ id: 'h-1', path: ['a', 'b'], run: [6, 60], dispatched: ['h-2'], more: consumed('tokens', 5000) }),
      ...hopSpans({ id: 'h-2', path: ['a', 'b', 'c'], dispatch: [10, 11], more: consumed('tokens', 0, limit) }),
    ];
    expect(found(hops(1000))).toEqual({});
    expect(found(hops())).toEqual({ 'h-2~1': ['budget_reset'] });
  });

  it('a worker has spent nothing of a task before it took it', () => {
    const took = (ingest: readonly [number, number]) => [
      ...hopSpans({ id: 'h-1', path: ['a', 'b'], dispatch: [1, 2], ingest, run: [0, 1100], dispatched: ['h-2'] }),
      toolCall('receive', undefined, { run: 'h-1', times: [900, 999] }),
      ...hopSpans({
        id: 'h-2',
        path: ['a', 'b', 'c'],
        dispatch: [1010, 1011],
        more: { ...consumed('wall_clock_ms', 10_000), ...consumed('tool_calls', 0) },
      }),
    ];
    expect(found(took([1000, 1001]))).toEqual({});
    expect(found(took([800, 801]))).toEqual({ 'h-2~1': ['budget_underreported'] });
  });
});

describe('read-back', () => {
  const route: Attributes = { 'seamtrace.handoff.route': 'a_to_b' };
  const criteria = (letter: string): Attributes => ({ 'seamtrace.ingest.criteria.digest': digest(letter) });
  const taken = (more: Attributes, model: Partial<HopModel> = { ingest: [6, 7], run: [6, 20] }) =>
    hopSpans({ id: 'h-1', path: ['a', 'b'], dispatch: [4, 5], more: { ...route, ...more }, ...model });

  it('is missing only where the ingest was seen', () => {
    expect(found(taken({}))).toEqual({ 'h-1~1': ['not_acknowledged'] });
    expect(found(taken(criteria('a')))).toEqual({});
    expect(found(taken({}, { run: [6, 20] }))).toEqual({});
  });

  it('is not missing where two differ, nor where the envelope was refused', () => {
    const [, , run] = taken(criteria('b'));
    expect(found(taken(criteria('a')).slice(0, 2), [run!])).toEqual({});
    expect(found(taken({ 'seamtrace.ingest.outcome': 'rejected' }))).toEqual({ 'h-1~1': ['ingest_rejected'] });
  });

  it('is not owed by a span that only names the handoff', () => {
    const named = span({ 'seamtrace.handoff.id': 'h-1', 'seamtrace.handoff.source.name': 'a', ...route });
    expect(found([named])).toEqual({});
  });

  it('is not late for what an attempt before did', () => {
    const tries = [1, 2].flatMap((attempt) =>
      hopSpans({
        id: 'h-1',
        attempt,
        path: ['a', 'b'],
        dispatch: [attempt * 20 + 4, attempt * 20 + 5],
        ingest: [attempt * 20 + 6, attempt * 20 + 7],
        run: [attempt * 20 + 6, attempt * 20 + 19],
        more: { ...route, ...criteria('a') },
      }),
    );
    const calls = (second: number) => [toolCall('look', undefined, { run: 'h-1', times: [second, second + 0.1] })];
    expect(found(tries, calls(30))).toEqual({});
    expect(
      found(
        tries.filter((one) => one.endUnixNano !== 39_000_000_000n),
        calls(30),
      ),
    ).toEqual({});
    expect(found(tries, calls(46.5))).toEqual({ 'h-1~2': ['acknowledged_late'] });
  });
});

describe('one handoff', () => {
  it('repair_exhausted: not where the first try was never refused', () => {
    const rejected: Attributes = { 'seamtrace.ingest.outcome': 'rejected' };
    const tries = (first: Attributes) => [
      ...hopSpans({ id: 'h-1', path: ['a', 'b'], dispatch: [1, 2], more: first }),
      ...hopSpans({ id: 'h-1', attempt: 2, path: ['a', 'b'], dispatch: [4, 5], ingest: [6, 7], more: rejected }),
    ];
    expect(found(tries({}))['h-1~2']).toEqual(['ingest_rejected']);
    expect(found(tries(rejected))['h-1~2']).toEqual(['ingest_rejected', 'repair_exhausted']);
  });

  it('says nothing about forward legs where it may be a return', () => {
    const hop = (leg: string, times: Partial<HopModel>) =>
      hopSpans({ id: 'h-1', path: ['a', 'c'], index: 9, limit: 9, more: { 'seamtrace.handoff.leg': leg }, ...times });
    expect(found(hop('return', { dispatch: [1, 2] }), hop('forward', { ingest: [3, 4] }))).toEqual({});
    expect(found(hop('forward', { dispatch: [1, 2] }), hop('forward', { ingest: [3, 4] }))).toEqual({
      'h-1~1': ['hop_limit_reached', 'undeclared_route'],
    });
  });

  it('silent_handoff: not where the run of the source lists it, nor for what an earlier session left', () => {
    const taken = hopSpans({ id: 'h-1', path: ['a', 'b'], ingest: [6, 7], run: [6, 20] });
    expect(found(taken, [firstRun({ agent: 'a', times: [0, 30], dispatched: ['h-1'] })])).toEqual({});
    const another = [firstRun({ agent: 'a', times: [0, 30] })];
    expect(found(taken, another)).toEqual({ 'h-1~1': ['silent_handoff'] });
    const more: Attributes = { 'seamtrace.handoff.kind': 'session_to_session' };
    expect(found(hopSpans({ id: 'h-1', path: ['a', 'b'], run: [6, 20], more }), another)).toEqual({});
  });

  it('value_changed: not where one stage states two values itself', () => {
    const digests = (name: string, ...letters: readonly string[]): Attributes => ({
      [`seamtrace.${name}.value_digests`]: letters.map((letter) => `customer_id=${digest(letter)}`),
    });
    const one = (over: Attributes) =>
      found([span({ ...passing(), ...stage('source', ['customer_id', 'invoice_id']), ...over })]);
    expect(one({ ...digests('source', 'a', 'b'), ...digests('destination', 'a') })).toEqual({});
    expect(one({ ...digests('source', 'a'), ...digests('destination', 'b') })).toEqual({
      'h-0001~1': ['value_changed'],
    });
  });

  it('trace_broken: not where the consumer stands below a span that may hold the link', () => {
    const dispatch = hopSpans({ id: 'h-1', path: ['a', 'b'], dispatch: [4, 5] });
    const taken = inTrace(TRACE_B, hopSpans({ id: 'h-1', path: ['a', 'b'], ingest: [6, 7], run: [6, 20] }));
    const root = taken.map((one, at) => (at === 1 ? { ...one, parentSpanId: '' } : { ...one, parentSpanId: ROOT }));
    expect(found(dispatch, below(ROOT, 'ingest', taken))).toEqual({});
    expect(found(dispatch, root)).toEqual({ 'h-1~1': ['trace_broken'] });
    const resumed = inTrace(
      TRACE_C,
      below(ROOT, 'ingest', hopSpans({ id: 'h-1', path: ['a', 'b'], ingest: [60, 61] })),
    );
    expect(found(dispatch, root, resumed)).toEqual({});
  });
});
