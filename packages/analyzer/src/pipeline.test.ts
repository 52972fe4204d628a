import { decodeTracesProtobuf, packEvidence } from '@seamtrace/core';
import { encodeProtobuf, traceRequest } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { KEYS, destination, dispatch, setUp } from '../test/pipeline.js';
import { extractAll } from './extract.js';
import { createMemoryJournal } from './journal/memory.js';

describe('the pipeline', () => {
  it('takes bytes to a verdict line and to metrics', async () => {
    const { clock, pipeline, written, send, series } = await setUp();
    const taken = await send(dispatch('h-1'), destination('h-1', { destinationStage: ['customer_id'] }));
    expect(taken).toEqual({ kind: 'accepted', partial: undefined });
    clock.advance(5_000);
    pipeline.tick();
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject({
      handoff_id: 'h-1',
      verdict: 'ingestion_loss',
      missing_keys: ['invoice_id'],
      owner: 'team-billing',
      revision: 1,
    });
    expect(written[0]?.['verdict_id']).toMatch(/^[0-9a-f]{32}$/);
    expect(await series('seamtrace_handoffs_total')).toEqual([
      'seamtrace_handoffs_total{route="triage_to_billing",verdict="ingestion_loss",boundary="payload_to_destination",contract_version="2",evidence="declared",kind="agent_to_agent"} 1',
    ]);
    expect(await series('seamtrace_required_keys')).toEqual([
      'seamtrace_required_keys_total{route="triage_to_billing"} 2',
      'seamtrace_required_keys_arrived_total{route="triage_to_billing"} 1',
    ]);
  });

  it('waits as long as the contract of the route says, and revises when evidence comes late', async () => {
    const { clock, pipeline, written, send, series } = await setUp();
    await send(dispatch('h-1'));
    clock.advance(59_999);
    pipeline.tick();
    expect(written).toEqual([]);
    clock.advance(1);
    pipeline.tick();
    expect(written[0]).toMatchObject({
      verdict: 'insufficient_evidence',
      boundary: 'destination_capture',
      revision: 1,
    });
    await send(destination('h-1'));
    clock.advance(5_000);
    pipeline.tick();
    expect(written[1]).toMatchObject({ verdict: 'passed', revision: 2 });
    expect(written[1]?.['verdict_id']).not.toBe(written[0]?.['verdict_id']);
    expect(await series('seamtrace_verdict_revisions_total')).toEqual([
      'seamtrace_verdict_revisions_total{from="insufficient_evidence",to="passed"} 1',
    ]);
    expect(await series('seamtrace_handoffs_total')).toHaveLength(1);
  });

  it('rejects only spans whose handoff id is none, and says which and why', async () => {
    const { clock, pipeline, written, send, series } = await setUp();
    const taken = await send(dispatch('h-1'), destination('h-1'), dispatch('no id at all!'));
    expect(taken).toEqual({
      kind: 'accepted',
      partial: {
        rejectedSpans: 1,
        message: expect.stringMatching(
          /^1 of 3 spans rejected, the rest was used: span [0-9a-f]{16} 'handoff billing': seamtrace\.handoff\.id "no id at all!" does not match/,
        ),
      },
    });
    clock.advance(5_000);
    pipeline.tick();
    expect(written).toHaveLength(1);
    expect(await series('seamtrace_analyzer_malformed_total{kind="handoff_id"}')).toEqual([
      'seamtrace_analyzer_malformed_total{kind="handoff_id"} 1',
    ]);
  });

  it('accounts for every span', async () => {
    const { send, series } = await setUp();
    const foreign = { ...dispatch('h-9'), attributes: new Map([['http.method', 'GET']]) };
    await send(dispatch('h-1'), foreign, dispatch('!'), destination('h-1'));
    await send(destination('h-1'));
    expect((await series('seamtrace_analyzer_spans_total')).sort()).toEqual([
      'seamtrace_analyzer_spans_total{outcome="accepted"} 2',
      'seamtrace_analyzer_spans_total{outcome="duplicate"} 1',
      'seamtrace_analyzer_spans_total{outcome="ignored"} 1',
      'seamtrace_analyzer_spans_total{outcome="rejected"} 1',
    ]);
  });

  it('tells the sender of attempts beyond what is kept of one id, and does not count them as accepted', async () => {
    const { overLimit, send, series } = await setUp(1_000);
    const attempts = Array.from({ length: 258 }, (_, index) => dispatch('flood', { attempt: index + 1 }));
    expect(await send(...attempts)).toMatchObject({
      partial: {
        rejectedSpans: 2,
        message: expect.stringMatching(
          /^2 of 258 spans rejected, the rest was used: handoff "flood" has 256 attempts here already; 257 is too many; /,
        ),
      },
    });
    expect(overLimit).toEqual(Array(2).fill(['flood', 256]));
    expect(await series('seamtrace_analyzer_spans_total{outcome="accepted"}')).toEqual([
      'seamtrace_analyzer_spans_total{outcome="accepted"} 256',
    ]);
    expect(await series('seamtrace_analyzer_spans_total{outcome="rejected"}')).toEqual([
      'seamtrace_analyzer_spans_total{outcome="rejected"} 2',
    ]);
  });

  it('knows an instrumented agent by its other names', async () => {
    const { clock, pipeline, written, send } = await setUp();
    await send(destination('h-0', { destination: 'Billing_Agent' }), dispatch('h-1'));
    clock.advance(60_000);
    pipeline.tick();
    const reasons = written.filter((line) => line['handoff_id'] === 'h-1').map((line) => line['reason']);
    expect(reasons).toEqual(['span_missing']);
  });

  it('delivers to the other sinks, and what comes after, when one of them is broken', async () => {
    const { clock, metrics, pipeline, written, faults, send } = await setUp();
    metrics.verdict = () => {
      throw new Error('broken');
    };
    await send(dispatch('h-1'), destination('h-1'), dispatch('h-2'), destination('h-2'));
    clock.advance(5_000);
    pipeline.tick();
    expect(written.map((line) => line['handoff_id'])).toEqual(['h-1', 'h-2']);
    expect(faults).toHaveLength(2);
  });

  it('observes the hops of a task after its silence, and what its budget shows between two hops', async () => {
    const { clock, pipeline, faults, send, series } = await setUp();
    const hop = (id: string, index: bigint, tokens: bigint) => {
      const attributes = {
        'seamtrace.hop.index': index,
        'seamtrace.hop.limit': 2n,
        'seamtrace.budget.consumed.tokens': tokens,
        'seamtrace.budget.consumed.wall_clock_ms': tokens,
        'seamtrace.payload.size': 2_000n,
      };
      return [dispatch(id, { task: 'task-1', attributes }), destination(id, { task: 'task-1' })];
    };
    await send(...hop('h-1', 1n, 100n), ...hop('h-2', 2n, 350n));
    clock.advance(5_000);
    pipeline.tick();
    expect(await series('seamtrace_budget_tokens_spent_total')).toEqual([
      'seamtrace_budget_tokens_spent_total{route="triage_to_billing"} 250',
    ]);
    // promtool refuses a name with an abbreviated unit, and with it everything that is exposed beside it.
    expect(await series('seamtrace_budget_wall_clock')).toEqual([]);
    expect(faults).toEqual([]);
    expect(await series('seamtrace_envelope_size_bytes_count')).toEqual([
      'seamtrace_envelope_size_bytes_count{route="triage_to_billing",hop="1"} 1',
      'seamtrace_envelope_size_bytes_count{route="triage_to_billing",hop="2"} 1',
    ]);
    expect(await series('seamtrace_task_hops_count')).toEqual(['seamtrace_task_hops_count 0']);
    clock.advance(3_600_000);
    pipeline.tick();
    expect(await series('seamtrace_task_hops_sum')).toEqual(['seamtrace_task_hops_sum 2']);
    expect(await series('seamtrace_tasks_at_hop_limit_total')).toEqual(['seamtrace_tasks_at_hop_limit_total 1']);
  });

  it('puts an envelope under the hops that there are, and under no other', async () => {
    const { clock, pipeline, faults, send, series } = await setUp();
    const sized = (id: string, index?: bigint) => {
      const hop = index === undefined ? {} : { 'seamtrace.hop.index': index };
      return [dispatch(id, { attributes: { 'seamtrace.payload.size': 10n, ...hop } }), destination(id)];
    };
    for (const index of [undefined, -1n, 0n, 1n, 9n, 10n, 4_000_000_000n]) await send(...sized(`h-${index}`, index));
    clock.advance(5_000);
    pipeline.tick();
    expect(faults).toEqual([]);
    expect(await series('seamtrace_envelope_size_bytes_count')).toEqual([
      'seamtrace_envelope_size_bytes_count{route="triage_to_billing",hop="1"} 1',
      'seamtrace_envelope_size_bytes_count{route="triage_to_billing",hop="9"} 1',
      'seamtrace_envelope_size_bytes_count{route="triage_to_billing",hop="10+"} 2',
    ]);
  });

  it('labels what the contract file does not declare as one', async () => {
    const { clock, pipeline, send, series } = await setUp();
    for (const route of ['stranger_1', 'stranger_2']) {
      await send(dispatch(route, { route, requiredKeys: KEYS }), destination(route, { route, requiredKeys: KEYS }));
    }
    clock.advance(5_000);
    pipeline.tick();
    expect(await series('seamtrace_handoffs_total')).toEqual([
      expect.stringMatching(/^seamtrace_handoffs_total\{route="_undeclared",verdict="passed".*\} 2$/),
    ]);
  });

  it('turns batches away while it is stopping, while nobody reads its lines, and when the journal is no help', async () => {
    const { journal, pipeline, lines, send, series } = await setUp();
    lines.congested = true;
    expect(await send(dispatch('h-1'))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('lines'),
    });
    lines.congested = false;
    await journal.close();
    expect(await send(dispatch('h-1'), dispatch('h-2'))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('journal of this receiver is closed') as string,
    });
    pipeline.refuse();
    expect(await send(dispatch('h-1'))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('stopping'),
    });
    expect(pipeline.sizes().pending).toBe(0);
    expect(await series('seamtrace_analyzer_spans_total')).toEqual([
      'seamtrace_analyzer_spans_total{outcome="refused"} 4',
    ]);
  });

  it('grades what is whole at a stop and lists the rest', async () => {
    const { pipeline, written, send } = await setUp();
    await send(dispatch('whole'), destination('whole'), dispatch('half'));
    pipeline.refuse();
    await pipeline.settled();
    const { graded, undecided } = pipeline.drain();
    expect(graded).toBe(1);
    expect(written.map((line) => line['handoff_id'])).toEqual(['whole']);
    expect(undecided.map(({ handoffId }) => handoffId)).toEqual(['half']);
  });

  it('offers again what was journaled and never taken', async () => {
    const { clock, journal, pipeline, written } = await setUp(100, createMemoryJournal(), false);
    const decoded = decodeTracesProtobuf(encodeProtobuf(traceRequest([dispatch('h-1'), destination('h-1')])));
    if (!decoded.ok) throw new Error(decoded.message);
    await journal.append({ receivedAt: clock.now(), pieces: extractAll(decoded).evidence.map(packEvidence) });
    await pipeline.restore();
    expect(journal.levels().lag).toBe(0);
    clock.advance(5_000);
    pipeline.tick();
    expect(written).toHaveLength(1);
  });
});
