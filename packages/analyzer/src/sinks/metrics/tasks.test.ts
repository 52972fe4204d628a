import { createContracts } from '@seamtrace/contracts';
import type { Due, Finding, TaskNews } from '@seamtrace/core';
import { BUDGET_COUNTERS, TASK_OUTCOMES } from '@seamtrace/semconv';
import { expect, it } from 'vitest';
import { createInstruments } from './instruments.js';
import { recordTasks } from './tasks.js';
import { recordVerdict } from './verdicts.js';

const contracts = createContracts({
  version: 1,
  agents: { a: {}, b: {} },
  routes: { a_to_b: { from: 'a', to: 'b', version: '1', required: ['key'] } },
});

const NOTHING: TaskNews = { spent: [], replans: [], redundant: [], escalations: [], ends: [], affected: [] };

async function scraped(record: (instruments: ReturnType<typeof createInstruments>) => void): Promise<string[]> {
  const instruments = createInstruments(10);
  record(instruments);
  const { body } = await instruments.render('text');
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

async function of(news: Partial<TaskNews>): Promise<string[]> {
  const lines = await scraped((instruments) => recordTasks(instruments, contracts, { ...NOTHING, ...news }));
  return lines.filter((line) => !/_bucket|_sum| 0$/.test(line));
}

it('counts every fact as it is told, under the route where the contract file declares it', async () => {
  expect(
    await of({
      replans: [
        { route: 'a_to_b', replanned: 'true' },
        { route: 'a_to_b', replanned: 'unknown' },
        { route: 'elsewhere', replanned: 'false' },
      ],
      redundant: [{ route: 'a_to_b', tool: 'look', calls: 2, seconds: 1.5 }],
      escalations: ['asked', 'answered', 'refused', 'asked'],
    }),
  ).toEqual([
    'seamtrace_handoff_replans_total{route="a_to_b",replanned="true"} 1',
    'seamtrace_handoff_replans_total{route="a_to_b",replanned="unknown"} 1',
    'seamtrace_handoff_replans_total{route="_undeclared",replanned="false"} 1',
    'seamtrace_redundant_tool_calls_total{route="a_to_b",tool="look"} 2',
    'seamtrace_redundant_tool_duration_seconds_total{route="a_to_b",tool="look"} 1.5',
    'seamtrace_escalations_total{outcome="asked"} 2',
    'seamtrace_escalations_total{outcome="answered"} 1',
    'seamtrace_escalations_total{outcome="refused"} 1',
  ]);
});

it('adds what was spent to the metric of its counter, but for the one that is not exposed', async () => {
  const spent = BUDGET_COUNTERS.map((counter) => ({ route: 'a_to_b', counter, amount: 7 }));
  const exposed = BUDGET_COUNTERS.filter((counter) => counter !== 'wall_clock_ms');
  expect((await of({ spent })).sort()).toEqual(
    exposed.map((counter) => `seamtrace_budget_${counter}_spent_total{route="a_to_b"} 7`).sort(),
  );
});

it('observes the hops of a task once, and counts its outcome where there is one', async () => {
  const ends = TASK_OUTCOMES.map((outcome, hops) => ({ taskId: outcome, outcome, hops, atHopLimit: hops === 4 }));
  const lines = await of({ ends: [...ends, { taskId: 'x', outcome: undefined, hops: undefined, atHopLimit: false }] });
  expect(lines).toEqual([
    `seamtrace_task_hops_count ${TASK_OUTCOMES.length}`,
    'seamtrace_tasks_at_hop_limit_total 1',
    ...TASK_OUTCOMES.map((outcome) => `seamtrace_tasks_total{outcome="${outcome}"} 1`),
  ]);
});

it('counts findings of the first verdict, and of a revision those that rest on the task and are new', async () => {
  const due = (findings: readonly Finding['id'][], before?: readonly Finding['id'][]): Due => {
    const graded = (ids: readonly Finding['id'][]) =>
      ({
        route: 'a_to_b',
        verdict: 'passed',
        boundary: 'none',
        evidence: 'declared',
        contract_version: '1',
        missing_keys: [],
        findings: ids.map((id) => ({ id, detail: {} })),
      }) as unknown as Due['graded'];
    const record = {
      handoffId: 'h-1',
      attempt: 1,
      facts: {},
      sides: {
        producer: { speaks: false },
        consumer: { speaks: false },
      },
      stages: Object.fromEntries(
        ['source', 'payload', 'destination'].map((stage) => [stage, { executions: [], moreExecutions: false }]),
      ),
      doubts: [],
    } as unknown as Due['record'];
    const previous = before === undefined ? undefined : { graded: graded(before), record };
    return { graded: graded(findings), record, siblings: [], revision: 1, previous };
  };
  const lines = await scraped((instruments) => {
    recordVerdict(instruments, contracts, due(['loop', 'context_dump']));
    recordVerdict(instruments, contracts, due(['loop', 'context_dump', 'dual_ownership', 'inlined_content'], ['loop']));
  });
  expect(lines.filter((line) => line.startsWith('seamtrace_findings'))).toEqual([
    'seamtrace_findings_total{finding="loop",route="a_to_b"} 1',
    'seamtrace_findings_total{finding="context_dump",route="a_to_b"} 1',
    'seamtrace_findings_total{finding="dual_ownership",route="a_to_b"} 1',
  ]);
});
