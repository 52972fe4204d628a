import { beforeAll, describe, expect, it } from 'vitest';
import { type PairResult, runPair } from './run-pair.js';

const NAMES = [
  'task-answer',
  'streamed',
  'streamed-message',
  'no-wait',
  'resubscribed',
  'failing',
  'failing-stream',
  'aborted',
  'aborted-meanwhile',
  'cancelled',
  'sent-twice',
  'by-hand',
  'conversation',
  'intercepted',
];

describe.each(['newest', 'oldest'])('calls by A2A %s', (version) => {
  let result: PairResult;
  beforeAll(async () => {
    result = await runPair({ version, names: NAMES });
  });
  const grade = (name: string, leg?: 'forward' | 'return') => {
    const found = result.grade(name, leg);
    return found === undefined ? undefined : [found.verdict, found.run_outcome];
  };
  const spans = (id: string) => result.spans.filter((span) => span.attributes.get('seamtrace.handoff.id') === id);

  it.each(['task-answer', 'streamed', 'streamed-message', 'no-wait', 'resubscribed', 'conversation'])(
    'sees the message and its answer: %s',
    (name) => {
      expect(grade(name)).toEqual(['passed', 'ok']);
      expect(grade(name, 'return')).toEqual(['passed', 'unknown']);
    },
  );

  it('has one handoff for a stream that breaks off and is taken up again', () => {
    expect(result.report['resubscribed']).not.toHaveProperty('error');
    const returned = spans(result.idOf('resubscribed', 'return'));
    expect(returned.map(({ name }) => name).sort()).toEqual(['handoff triage', 'ingest billing_to_triage']);
  });

  it.each(['failing', 'failing-stream'])(
    'takes a failed executor for a failed run after a whole handoff: %s',
    (name) => {
      expect(grade(name)).toEqual(['passed', 'run_error']);
      expect(grade(name, 'return')).toBeUndefined();
      const [run] = spans(result.idOf(name)).filter((span) => span.name === 'invoke_agent billing');
      expect(run?.attributes.get('error.type')).toBe('TypeError');
    },
  );

  it('calls a message that was called off before it was sent dropped', () => {
    expect(result.grade('aborted')).toMatchObject({ reason: 'not_dispatched' });
    const [dispatch] = spans(result.idOf('aborted'));
    expect(dispatch?.attributes.get('seamtrace.dispatch.outcome')).toBe('dropped');
  });

  it('knows the destination of a call that the caller gave up, and of one that was cancelled', () => {
    expect(result.grade('aborted-meanwhile')).toMatchObject({
      verdict: 'passed',
      destination: 'billing',
      findings: [],
    });
    expect(grade('cancelled')).toEqual(['passed', 'cancelled']);
    expect(grade('cancelled', 'return')).toBeUndefined();
  });

  it('takes a message that is sent again for the same handoff, executed again', () => {
    expect(grade('sent-twice')).toEqual(['passed', 'ok']);
    const dispatched = spans(result.idOf('sent-twice')).filter(({ name }) => name === 'handoff billing');
    expect(dispatched.map(({ attributes }) => attributes.get('seamtrace.handoff.execution'))).toEqual([1n, 2n]);
    const ingested = spans(result.idOf('sent-twice')).filter(({ name }) => name === 'ingest triage_to_billing');
    expect(ingested.map(({ attributes }) => attributes.get('seamtrace.handoff.execution'))).toEqual([1n, 2n]);
  });

  it('leaves a handoff that the application put into the message what it is', () => {
    const own = result.grades.filter(({ handoff_id: id }) => !id.startsWith('a2a.'));
    expect(own.map(({ verdict, source, destination }) => [verdict, source, destination])).toEqual([
      ['passed', 'triage', 'billing'],
    ]);
    expect(result.grade('by-hand')).toBeUndefined();
  });

  it('sees what interceptors make of a message, and shows them nothing of ours', () => {
    expect(result.grade('intercepted')).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['invoice_id'] });
    const { log } = result.report['intercepted'] as { log: unknown[] };
    expect(log[0]).toEqual([]);
  });

  it('takes the conversation for the correlation, on both sides and both legs', () => {
    const ids = [result.idOf('conversation'), result.idOf('conversation', 'return')];
    const all = ids.flatMap(spans);
    expect(all).toHaveLength(5);
    for (const span of all) expect(span.attributes.get('seamtrace.correlation.id')).toBe('context-1');
  });

  it('says delegation where the caller waits, and nothing where it goes on', () => {
    const mode = (name: string) => spans(result.idOf(name))[0]?.attributes.get('seamtrace.handoff.mode');
    expect([mode('task-answer'), mode('streamed'), mode('no-wait')]).toEqual(['delegation', 'delegation', undefined]);
  });

  it('names the A2A task where it is known', () => {
    const [run] = spans(result.idOf('task-answer')).filter(({ name }) => name === 'invoke_agent billing');
    const taskId = run?.attributes.get('a2a.task.id');
    expect(taskId).toMatch(/^[0-9a-f-]{36}$/);
    for (const span of spans(result.idOf('task-answer', 'return'))) {
      expect(span.attributes.get('a2a.task.id')).toBe(taskId);
    }
  });

  it('has nothing else on record, and no failure of ours', () => {
    expect(result.counters['internal_error']).toBe(0);
    expect(result.seen.every(({ extensions }) => extensions.length === 1)).toBe(true);
    const findings = result.grades.flatMap(({ findings: each }) => each.map(({ id }) => id));
    expect(findings).toEqual(['announced_not_dispatched']);
  });
});
