import { encodeProtobuf, type RecordedSpan, traceRequest } from '@seamtrace/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { gradeRequests } from '../run-app.js';
import { CONTRACTS } from './contracts.js';
import { runScenarios, said, type Scenarios } from './run-scenarios.js';

const grade = (spans: readonly RecordedSpan[]) =>
  gradeRequests([encodeProtobuf(traceRequest(spans.map((span) => ({ ...span, events: [] }))))], CONTRACTS).filter(
    ({ source }) => source === 'triage',
  );
const isDelegate = ({ name }: RecordedSpan): boolean => name === 'invoke_agent billing';

let two: Scenarios;
beforeAll(async () => {
  two = await runScenarios('newest', ['passed', 'stream']);
});

describe('mastra PR #11825: sub-agents lack earlier user messages', () => {
  const contracts = {
    routes: { triage_to_billing: { from: 'triage', to: 'billing', version: '1', required: ['messages'] } },
  };
  const lost = ['triage > billing = billing', 'packaging_loss', 'source_to_payload', 'messages', null];
  const names = ['allMessages', 'noMessages'];

  it('is a loss in packaging in the versions that sent the prompt alone', async () => {
    const oldest = await runScenarios('oldest', names, { contracts });
    expect(names.map((name) => oldest.of(name).map(said))).toEqual([[lost], [lost]]);
  });

  it('is one in newer versions where a filter of the application takes them out, and none otherwise', async () => {
    const newest = await runScenarios('newest', names, { contracts });
    const passed = ['triage > billing = billing', 'passed', 'none', '', null];
    expect(names.map((name) => newest.of(name).map(said))).toEqual([[passed], [lost]]);
  });
});

describe('mastra #15461: a sub-agent has no spans of its own', () => {
  it('is not known, rather than lost', () => {
    const [gone] = two.spans.filter(isDelegate);
    const grades = grade(two.spans.filter((span) => span !== gone));
    expect(grades.map(said)).toEqual(
      expect.arrayContaining([
        ['triage > billing = null', 'insufficient_evidence', 'destination_capture', '', 'span_missing'],
        ['triage > billing = billing', 'passed', 'none', '', null],
      ]),
    );
  });
});

describe('mastra #18306: spans of a sub-agent are orphaned', () => {
  it('are joined by the handoff id all the same, and the trace is said to be broken', () => {
    const orphaned = two.spans.map((span) => {
      if (!isDelegate(span)) return span;
      return { ...span, traceId: 'e'.repeat(32), parentSpanId: '', links: [] };
    });
    const grades = grade(orphaned);
    expect(grades).toHaveLength(2);
    for (const each of grades) {
      expect(said(each)).toEqual(['triage > billing = billing', 'passed', 'none', '', null]);
      expect(each.findings.map(({ id }) => id)).toEqual(['trace_broken']);
    }
  });
});
