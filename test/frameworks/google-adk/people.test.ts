import { expect, test } from 'vitest';
import { runApp, spansNamed } from '../run-app.js';

const contracts = {
  agents: { approval_triage: {}, human: {} },
  routes: {
    ask: { from: 'approval_triage', to: 'human', version: '1', required: ['order_id'] },
    answer: { from: 'human', to: 'approval_triage', version: '1', required: ['confirmed'] },
  },
};

test.each(['newest', 'oldest'])('a tool that a person approves asks one and is answered (%s)', async (version) => {
  const result = await runApp({ app: `google-adk/${version}/app.mjs`, args: ['approval'], contracts });
  expect(result.code).toBe(0);
  const of = (route: string) => result.grades.find((each) => each.route === route);
  // What an application shows of the question is not seen here, so nothing is said of it.
  expect(of('ask')).toMatchObject({ verdict: 'insufficient_evidence', boundary: 'payload_capture', findings: [] });
  expect(of('answer')).toMatchObject({ verdict: 'passed' });
  const [ask, answer] = spansNamed(result, 'handoff ').map(({ attributes }) => Object.fromEntries(attributes));
  expect(ask).toMatchObject({ 'seamtrace.handoff.kind': 'agent_to_human' });
  expect(answer).toMatchObject({
    'seamtrace.handoff.kind': 'human_to_agent',
    'seamtrace.handoff.in_reply_to': ask?.['seamtrace.handoff.id'],
  });
});
