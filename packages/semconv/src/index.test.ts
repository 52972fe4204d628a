import { describe, expect, it } from 'vitest';
import * as semconv from './index.js';

// Written down by hand from the wire contract, so that a slip in the registry cannot pass unseen: these names are API.
const METRIC_TABLE = `
seamtrace.handoffs {handoff} seamtrace_handoffs_total route verdict boundary contract_version evidence kind
seamtrace.missing_keys {key} seamtrace_missing_keys_total route key boundary
seamtrace.required_keys {key} seamtrace_required_keys_total route
seamtrace.required_keys.arrived {key} seamtrace_required_keys_arrived_total route
seamtrace.handoff.latency s seamtrace_handoff_latency_seconds route kind
seamtrace.ingest.duration s seamtrace_ingest_duration_seconds route
seamtrace.handoff.latency.unmeasurable {handoff} seamtrace_handoff_latency_unmeasurable_total reason
seamtrace.envelope.size By seamtrace_envelope_size_bytes route hop
seamtrace.task.hops {hop} seamtrace_task_hops
seamtrace.tasks.at_hop_limit {task} seamtrace_tasks_at_hop_limit_total
seamtrace.ingests {ingest} seamtrace_ingests_total route source outcome
seamtrace.ingest.validation_failures {failure} seamtrace_ingest_validation_failures_total source field
seamtrace.handoff.replans {handoff} seamtrace_handoff_replans_total route replanned
seamtrace.redundant_tool_calls {call} seamtrace_redundant_tool_calls_total route tool
seamtrace.redundant_tool.duration s seamtrace_redundant_tool_duration_seconds_total route tool
seamtrace.tasks {task} seamtrace_tasks_total outcome
seamtrace.escalations {escalation} seamtrace_escalations_total outcome
seamtrace.findings {finding} seamtrace_findings_total finding route
seamtrace.verdict.revisions {revision} seamtrace_verdict_revisions_total from to
seamtrace.route.info 1 seamtrace_route_info route source target owner`;

describe('metrics', () => {
  const byName = new Map(semconv.METRICS.map((metric) => [metric.name, metric]));

  it.each(METRIC_TABLE.trim().split('\n'))('has %s', (row) => {
    const [name = '', unit, prometheusName, ...attributes] = row.split(' ');
    expect(byName.get(name)).toMatchObject({ unit, prometheusName, attributes });
  });

  it('has one budget metric a counter', () => {
    for (const counter of semconv.BUDGET_COUNTERS)
      expect(byName.get(`seamtrace.budget.${counter}.spent`)).toMatchObject({
        prometheusName: `seamtrace_budget_${counter}_spent_total`,
        instrument: 'counter',
        attributes: ['route'],
      });
  });

  it('ends counters, and nothing else, with _total', () => {
    for (const { prometheusName, instrument } of semconv.METRICS)
      expect(prometheusName.endsWith('_total'), prometheusName).toBe(instrument === 'counter');
  });
});

describe('enums', () => {
  it('has the six verdicts and the boundaries of the grading rows', () => {
    expect(semconv.VERDICTS).toEqual([
      'passed',
      'insufficient_evidence',
      'routing_mismatch',
      'upstream_context_missing',
      'packaging_loss',
      'ingestion_loss',
    ]);
    expect([...semconv.BOUNDARIES].sort()).toEqual(
      'before_handoff contract contract_version destination_capture identity none payload_capture payload_to_destination route source_capture source_to_payload'.split(
        ' ',
      ),
    );
  });

  it('has every reason and finding of the wire contract', () => {
    expect([...semconv.REASONS].sort()).toEqual(
      'capture_incomplete contradiction error evicted identity_conflict name_unresolved no_contract not_dispatched redacted sampled span_missing target_unknown truncated uninstrumented unsupported version_mismatch'.split(
        ' ',
      ),
    );
    expect([...semconv.FINDING_IDS].sort()).toEqual(
      `acknowledged_late announced_not_dispatched budget_exhausted budget_reset budget_underreported constraint_dropped context_dump
dead_end_retried decision_overridden dual_ownership envelope_growth goal_changed hop_counter_reset hop_limit_changed
hop_limit_reached identity_reused ingest_rejected inlined_content loop never_accepted not_acknowledged read_back_mismatch
redundant_work repair_exhausted repeated_effect silent_handoff status_hardened trace_broken undeclared_dependency undeclared_route
unowned_result unpermitted_keys value_changed version_skew`.split(/\s/),
    );
  });

  it('has the reasons for an incomplete capture in the order in which they win', () => {
    expect(semconv.INCOMPLETE_REASONS).toEqual(['redacted', 'truncated', 'sampled', 'unsupported', 'error']);
  });
});

describe('attributes', () => {
  const keys = Object.entries(semconv).filter(([name]) => name.startsWith('ATTR_') && !name.startsWith('ATTR_PREFIX_'));

  it('names a constant after its key', () => {
    for (const [name, key] of keys) expect(name).toBe(`ATTR_${String(key).toUpperCase().replaceAll('.', '_')}`);
  });

  it('has the same facts for each stage', () => {
    const all = new Set(keys.map(([, key]) => key));
    for (const stage of ['source', 'payload', 'destination'])
      for (const fact of [
        'keys',
        'complete',
        'incomplete_reason',
        'key_count',
        'keys_digest',
        'state_ref',
        'value_digests',
      ])
        expect(all).toContain(`seamtrace.${stage}.${fact}`);
  });

  it('gives templates as prefixes', () => {
    expect(semconv.ATTR_PREFIX_SEAMTRACE_BUDGET_LIMIT).toBe('seamtrace.budget.limit.');
    expect(semconv.ATTR_PREFIX_SEAMTRACE_BUDGET_CONSUMED).toBe('seamtrace.budget.consumed.');
  });

  it('describes schema version 1', () => {
    expect(semconv.SCHEMA_VERSION).toBe('1');
  });
});
