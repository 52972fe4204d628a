import { createContracts } from '@seamtrace/contracts';
import { describe, expect, it } from 'vitest';
import { type DecodedSpan, type Finding, createLedger } from '../src/index.js';
import { type Attributes, evidenceOf, passing, span, stage } from './spans.js';

const contracts = createContracts({
  version: 1,
  agents: { triage: {}, billing: {}, support: {} },
  routes: {
    triage_to_billing: {
      from: 'triage',
      to: 'billing',
      read_back: true,
      versions: {
        '2': { required: ['customer_id', 'invoice_id'], permitted: ['customer_id', 'invoice_id', 'locale'] },
      },
    },
  },
});

/** Digests as a deployment's secret yields them. */
const digest = (letter: string, key = 'k1') => `hmac-sha256:${key}:${letter.repeat(64)}`;

function findings(spans: readonly DecodedSpan[], id = 'h-0001'): readonly Finding[] {
  const ledger = createLedger({ contracts });
  for (const evidence of evidenceOf(spans)) ledger.add(evidence);
  return ledger.grade().find((grade) => grade.handoff_id === id)?.findings ?? [];
}

function on(over: Attributes): readonly Finding[] {
  return findings([span({ ...passing(), 'seamtrace.ingest.criteria.digest': digest('a'), ...over })]);
}

function ids(found: readonly Finding[]): string[] {
  return found.map((finding) => finding.id);
}

describe('findings of one handoff', () => {
  it('a clean handoff has none', () => {
    expect(on({})).toEqual([]);
  });

  it.each<[string, Attributes, Attributes]>([
    [
      'unpermitted_keys',
      stage('payload', ['customer_id', 'invoice_id', 'secret']),
      stage('payload', ['customer_id', 'invoice_id']),
    ],
    [
      'hop_limit_reached',
      { 'seamtrace.hop.index': 6n, 'seamtrace.hop.limit': 6n },
      { 'seamtrace.hop.index': 5n, 'seamtrace.hop.limit': 6n },
    ],
    [
      'budget_exhausted',
      { 'seamtrace.budget.consumed.tokens': 10n, 'seamtrace.budget.limit.tokens': 10n },
      { 'seamtrace.budget.consumed.tokens': 9n, 'seamtrace.budget.limit.tokens': 10n },
    ],
    [
      'announced_not_dispatched',
      { 'seamtrace.dispatch.outcome': 'dropped' },
      { 'seamtrace.dispatch.outcome': 'dispatched' },
    ],
    ['ingest_rejected', { 'seamtrace.ingest.outcome': 'rejected' }, { 'seamtrace.ingest.outcome': 'warned' }],
    ['repair_exhausted', { 'seamtrace.ingest.outcome': 'escalated' }, { 'seamtrace.ingest.outcome': 'rejected' }],
    [
      'read_back_mismatch',
      { 'seamtrace.dispatch.criteria.digest': digest('b') },
      { 'seamtrace.dispatch.criteria.digest': digest('a') },
    ],
    ['not_acknowledged', { 'seamtrace.envelope.degraded': true }, { 'seamtrace.envelope.degraded': false }],
    [
      'context_dump',
      { 'seamtrace.payload.size': 10_000n, 'seamtrace.payload.text_size': 5001n },
      { 'seamtrace.payload.size': 10_000n, 'seamtrace.payload.text_size': 5000n },
    ],
    [
      'inlined_content',
      { 'seamtrace.payload.size': 65_537n, 'seamtrace.payload.references': 0n },
      { 'seamtrace.payload.size': 65_536n, 'seamtrace.payload.references': 0n },
    ],
    [
      'value_changed',
      {
        'seamtrace.source.value_digests': [`customer_id=${digest('a')}`],
        'seamtrace.destination.value_digests': [`customer_id=${digest('b')}`],
      },
      {
        'seamtrace.source.value_digests': [`customer_id=${digest('a')}`],
        'seamtrace.destination.value_digests': [`customer_id=${digest('b', 'other-secret')}`],
      },
    ],
    [
      'undeclared_dependency',
      { 'seamtrace.payload.channel': 'shared_state', 'seamtrace.destination.read_keys': ['invoice_id', 'plan'] },
      {
        'seamtrace.payload.channel': 'shared_state',
        'seamtrace.destination.read_keys': ['invoice_id', 'locale.tag', '*'],
      },
    ],
    [
      'undeclared_dependency',
      { 'seamtrace.payload.channel': 'shared_state', 'seamtrace.destination.read_keys': ['plan'] },
      { 'seamtrace.payload.channel': 'envelope', 'seamtrace.destination.read_keys': ['plan'] },
    ],
    [
      'undeclared_route',
      { 'seamtrace.handoff.source.name': 'support' },
      { 'seamtrace.handoff.source.name': 'support', 'seamtrace.handoff.leg': 'return' },
    ],
  ])('%s, and its nearest neighbour that is none', (id, present, absent) => {
    expect(ids(on(present))).toContain(id);
    expect(ids(on(absent))).not.toContain(id);
  });

  it('a name that was cut or masked is no undeclared route', () => {
    for (const name of ['bil', '***', 'Billing']) {
      expect(ids(on({ 'seamtrace.handoff.target.name': name }))).not.toContain('undeclared_route');
    }
    expect(ids(on({ 'seamtrace.handoff.target.name': 'legal' }))).toContain('undeclared_route');
  });

  it('a permitted list that lacks a required key accuses nobody', () => {
    const ledger = createLedger({ contracts: undefined });
    const shortened = { ...passing(), 'seamtrace.contract.permitted_keys': ['customer_id'] };
    for (const evidence of evidenceOf([span(shortened)])) ledger.add(evidence);
    expect(ledger.grade()[0]?.findings).toEqual([]);
  });

  it('acknowledged_late: a tool of the run began before the read-back was there', () => {
    const at = (startUnixNano: bigint, endUnixNano: bigint) => ({ startUnixNano, endUnixNano });
    const ingest = span(
      {
        'seamtrace.handoff.id': 'h-0001',
        'seamtrace.handoff.role': 'ingest',
        'seamtrace.ingest.criteria.digest': digest('a'),
      },
      at(10n, 50n),
    );
    const call = (start: bigint) =>
      span(
        { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look', 'seamtrace.run.handoff.id': 'h-0001' },
        at(start, start + 5n),
      );
    const run = span(passing(), at(5n, 90n));
    expect(ids(findings([run, ingest, call(49n)]))).toContain('acknowledged_late');
    expect(ids(findings([run, ingest, call(50n)]))).not.toContain('acknowledged_late');
    expect(ids(findings([run, ingest]))).not.toContain('acknowledged_late');
  });

  it('trace_broken: two traces without a link', () => {
    const dispatch: Attributes = { ...passing(), 'seamtrace.handoff.role': 'dispatch' };
    const sides = (over: Partial<DecodedSpan>, more: Attributes = {}) =>
      ids(
        findings([
          span({ ...dispatch, ...more }),
          span({ ...passing(), ...more }, { traceId: 'b'.repeat(32), ...over }),
        ]),
      );
    expect(sides({})).toContain('trace_broken');
    expect(sides({ links: [{ traceId: 'a'.repeat(32), spanId: '1'.repeat(16) }] })).not.toContain('trace_broken');
    expect(sides({ traceId: 'a'.repeat(32) })).not.toContain('trace_broken');
    expect(sides({}, { 'seamtrace.handoff.kind': 'session_to_session' })).not.toContain('trace_broken');
  });

  it('silent_handoff: taken, not seen dispatched, by an agent whose source is instrumented', () => {
    const taken: Attributes = {
      'seamtrace.handoff.id': 'h-0001',
      'seamtrace.handoff.role': 'ingest',
      'seamtrace.handoff.source.name': 'triage',
      'seamtrace.handoff.destination.name': 'billing',
      ...stage('destination', ['customer_id']),
    };
    const triageSpeaks = span({
      'seamtrace.handoff.id': 'h-0002',
      'seamtrace.handoff.role': 'dispatch',
      'seamtrace.handoff.source.name': 'triage',
    });
    expect(ids(findings([span(taken)]))).not.toContain('silent_handoff');
    expect(ids(findings([span(taken), triageSpeaks]))).toContain('silent_handoff');
  });

  it('goal_changed needs digests under one secret', () => {
    const two = (other: string) =>
      ids(
        findings([
          span({ ...passing(), 'seamtrace.goal.digest': digest('a') }),
          span({ ...passing(), 'seamtrace.goal.digest': other }),
        ]),
      );
    expect(two(digest('b'))).toContain('goal_changed');
    expect(two(digest('b', 'k2'))).not.toContain('goal_changed');
    expect(two(digest('a').slice(0, 30))).not.toContain('goal_changed');
  });
});
