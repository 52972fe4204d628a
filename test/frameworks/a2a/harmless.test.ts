import { describe, expect, it } from 'vitest';
import { runPair } from './run-pair.js';

const HOSTILE = ['oversized', 'malformed', 'not-an-object', 'hostile', 'other-card', 'frozen', 'proxied', 'no-message'];
const ALL = [
  ...['passed', 'text-only', 'request-metadata', 'task-answer', 'streamed', 'streamed-message', 'resubscribed'],
  ...['failing', 'failing-stream', 'aborted', 'cancelled', 'intercepted', 'conversation', 'no-wait'],
  ...HOSTILE,
];

describe.each(['newest', 'oldest'])('A2A %s', (version) => {
  it('changes nothing of what either side sees, beside the entry and the name of the extension', async () => {
    const [within, without] = await Promise.all([
      runPair({ version, names: ALL }),
      runPair({ version, names: ALL, client: { instrumented: false }, server: { instrumented: false } }),
    ]);
    expect(within.report).toEqual(without.report);
    const others = ({ metadata }: { readonly metadata: readonly string[] }) =>
      metadata.filter((key) => !key.startsWith('https://seamtrace.dev/'));
    expect(within.seen.map(others)).toEqual(without.seen.map(others));
    expect(without.spans).toEqual([]);
  });

  it('drops and counts what is no handoff, and serves the message', async () => {
    const { report, counters, servers, grade, grades } = await runPair({ version, names: ['passed', ...HOSTILE] });
    const answer = { parts: [{ refund_id: 'r-1', amount: 3 }] };
    for (const name of ['oversized', 'malformed', 'not-an-object', 'hostile', 'other-card', 'frozen']) {
      expect([name, report[name]]).toEqual([name, { shown: expect.objectContaining(answer), untouched: true }]);
    }
    expect(report['no-message']).toHaveProperty('error');
    expect(grade('frozen')).toMatchObject({ verdict: 'passed' });
    // Nothing can be put into a message that is a Proxy.
    expect(counters).toMatchObject({ header_not_written: 1, internal_error: 0 });
    const stdout = servers['billing']?.stdout ?? '';
    expect((JSON.parse(stdout) as { counters: object }).counters).toMatchObject({
      header_too_long: 1,
      header_malformed: 3,
      internal_error: 0,
    });
    // The application said billing, and called the client of support.
    const misrouted = grades.find(({ destination }) => destination === 'support');
    expect(misrouted).toMatchObject({ verdict: 'routing_mismatch', target: 'billing' });
    expect(counters).toMatchObject({ card_identity: 1, card_skill: 1 });
  });

  it('takes no evidence of one call for that of another, of 200 at once', async () => {
    const { spans, grades, report } = await runPair({ version, names: ['concurrent'] });
    expect(report['concurrent']).toEqual({ answers: 200 });
    const forward = grades.filter(({ route }) => route === 'triage_to_billing');
    expect(forward.filter(({ verdict }) => verdict === 'passed')).toHaveLength(100);
    expect(forward.filter(({ verdict }) => verdict === 'packaging_loss')).toHaveLength(100);
    expect(grades).toHaveLength(400);
    const own = (span: (typeof spans)[number], stage: string) =>
      (span.attributes.get(`seamtrace.${stage}.keys`) as string[]).filter((key) => key.startsWith('own_'));
    const byId = new Map<unknown, Set<string>>();
    for (const span of spans) {
      for (const stage of ['source', 'payload', 'destination']) {
        if (span.attributes.get(`seamtrace.${stage}.keys`) === undefined) continue;
        if (span.attributes.get('seamtrace.handoff.leg') === 'return') continue;
        const id = span.attributes.get('seamtrace.handoff.id');
        const keys = byId.get(id) ?? new Set<string>();
        for (const key of own(span, stage)) keys.add(key);
        byId.set(id, keys);
      }
    }
    expect([...byId.values()].map(({ size }) => size)).toEqual(Array.from({ length: 200 }, () => 1));
  });

  it('speaks for itself where the other side is not instrumented', async () => {
    const names = ['passed', 'streamed', 'conversation'];
    const alone = await runPair({ version, names, server: { instrumented: false } });
    expect(alone.report['passed']).toMatchObject({ shown: { parts: [{ refund_id: 'r-1', amount: 3 }] } });
    expect(alone.grade('passed')).toMatchObject({
      boundary: 'destination_capture',
      reason: 'uninstrumented',
      findings: [],
    });

    const called = await runPair({ version, names, client: { instrumented: false } });
    expect(called.report).toEqual(alone.report);
    expect(called.grades).toEqual([]);
    expect((JSON.parse(called.servers['billing']?.stdout ?? '') as { counters: object }).counters).toMatchObject({
      header_absent: 3,
      internal_error: 0,
    });
  });

  it('refuses what an enforcing side must not let pass, before it is sent and before it runs', async () => {
    const names = ['passed', 'packaging-loss', 'upstream-missing', 'text-only'];
    const env = { SEAMTRACE_ENFORCE: 'enforce' };
    const sender = await runPair({ version, names, client: { env } });
    expect(sender.report['packaging-loss']).toEqual({
      error: 'HandoffContractError',
      code: 'SEAMTRACE_PROJECTION_INCOMPLETE',
    });
    expect(sender.report['upstream-missing']).toEqual({
      error: 'HandoffContractError',
      code: 'SEAMTRACE_SOURCE_INCOMPLETE',
    });
    expect(sender.grade('packaging-loss')).toMatchObject({ verdict: 'packaging_loss' });
    expect(sender.seen).toHaveLength(2);

    const receiver = await runPair({ version, names, server: { env } });
    expect(receiver.seen).toHaveLength(2);
    expect(receiver.report['packaging-loss']).toMatchObject({ shown: { state: version === 'newest' ? 4 : 'failed' } });
    const outcomes = receiver.spans.map(({ attributes }) => attributes.get('seamtrace.ingest.outcome'));
    expect(outcomes.filter((outcome) => outcome === 'rejected').length).toBeGreaterThanOrEqual(2);
  });
});
