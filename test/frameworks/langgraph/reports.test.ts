import { beforeAll, describe, expect, test } from 'vitest';
import { type AppResult, runApp, spansNamed } from '../run-app.js';
import { REPORT_CONTRACTS } from './contracts.js';

describe('what people have reported', () => {
  let result: AppResult;
  beforeAll(async () => {
    result = await runApp({ app: 'langgraph/newest/app.mjs', args: ['reports'], contracts: REPORT_CONTRACTS });
    expect(result.code, result.stderr).toBe(0);
  });
  const only = (route: string) => {
    const found = result.grades.filter((grade) => grade.route === route);
    expect(found).toHaveLength(1);
    return found[0];
  };
  const findings = (route: string) =>
    result.grades.filter((grade) => grade.route === route).flatMap((grade) => grade.findings.map(({ id }) => id));

  test('langgraphjs PR #1206: a swarm handoff loses `current_plan`', () => {
    expect(only('plan')).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['current_plan'] });
  });

  test('langgraphjs #908 and langfuse #5035: a ParentCommand between nested supervisors is a handoff, no error', () => {
    const handoffs = ['research_team', 'math'].map((target) => spansNamed(result, `handoff ${target}`));
    expect(handoffs.map((spans) => spans.length)).toEqual([1, 1]);
    const agents = ['top', 'research_team', 'team_lead', 'math'];
    const runs = result.spans.filter(({ name }) => agents.some((agent) => name === `invoke_agent ${agent}`));
    expect(runs).toHaveLength(6);
    for (const span of [...handoffs.flat(), ...runs, ...spansNamed(result, 'execute_tool transfer_to_')]) {
      expect(span.statusCode).toBe(0);
      expect(span.attributes.has('error.type')).toBe(false);
    }
    // Both came back.
    for (const to of ['top', 'team_lead'])
      expect(
        spansNamed(result, `handoff ${to}`).map(({ attributes }) => attributes.get('seamtrace.handoff.leg')),
      ).toEqual(['return']);
  });

  test('langgraph-swarm-py #58: of two transfers in one turn the second is announced and not dispatched', () => {
    expect(only('first')).toMatchObject({ verdict: 'passed' });
    const second = only('second');
    expect(second).toMatchObject({ verdict: 'insufficient_evidence', reason: 'not_dispatched' });
    expect(second?.findings.map(({ id }) => id)).toContain('announced_not_dispatched');
    expect(second?.handoff_id).not.toBe(only('first')?.handoff_id);
  });

  test('the same where tools run as tasks of their own: one of the two is dispatched, the other is dropped', () => {
    const outcomes = ['sent_b', 'sent_c'].flatMap((target) =>
      spansNamed(result, `handoff ${target}`).map(({ attributes }) => attributes.get('seamtrace.dispatch.outcome')),
    );
    expect(outcomes.sort()).toEqual(['dispatched', 'dropped']);
  });

  test('a command that a node of the agent returns carries what the agent had', () => {
    expect(only('node')).toMatchObject({ verdict: 'passed', destination: 'go_b' });
  });

  test('langgraph-swarm-py #69: the result of a tool beside a transfer vanishes', () => {
    expect(only('side')).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['ticket_id'] });
  });

  test('langgraph-swarm-py #6 and langgraph-supervisor-py #208: an endless loop', () => {
    for (const route of ['there', 'back']) {
      expect(findings(route)).toContain('loop');
      expect(findings(route)).toContain('hop_limit_reached');
    }
  });
});
