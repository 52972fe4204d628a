import { beforeAll, describe, expect, test } from 'vitest';
import { type AppResult, runApp } from '../run-app.js';
import { PEOPLE_CONTRACTS } from './contracts.js';

describe.each(['newest', 'oldest'])('questions to people, with the %s versions', (versions) => {
  const run = (scenario: string): Promise<AppResult> =>
    runApp({ app: `langgraph/${versions}/app.mjs`, args: [`people.${scenario}`], contracts: PEOPLE_CONTRACTS });
  const executions = ({ spans }: AppResult, route: string, role: string) =>
    spans
      .filter(
        ({ attributes }) =>
          attributes.get('seamtrace.handoff.route') === route && attributes.get('seamtrace.handoff.role') === role,
      )
      .map(({ attributes }) => Number(attributes.get('seamtrace.handoff.execution')))
      .sort();
  const told = ({ grades }: AppResult) =>
    grades.map(({ route, verdict, reason, findings }) => [route, verdict, reason, findings.map(({ id }) => id)]).sort();

  let inTool: AppResult;
  beforeAll(async () => {
    inTool = await run('in_tool');
    expect(inTool.code, inTool.stderr).toBe(0);
  });

  test('a question and its answer are a handoff each', () => {
    expect(told(inTool)).toEqual([
      ['answer', 'passed', null, []],
      // What the person reads of a question nobody can see from here.
      ['ask', 'insufficient_evidence', 'unsupported', []],
      ['to_refund', 'passed', null, []],
    ]);
    const kinds = Object.fromEntries(
      inTool.spans.map(({ attributes }) => [
        attributes.get('seamtrace.handoff.route'),
        attributes.get('seamtrace.handoff.kind'),
      ]),
    );
    expect(kinds).toMatchObject({ ask: 'agent_to_human', answer: 'human_to_agent' });
  });

  test('an agent that begins again after the answer is the same handoff, executed once more', () => {
    expect(executions(inTool, 'to_refund', 'dispatch')).toEqual([1]);
    expect(executions(inTool, 'to_refund', 'destination')).toEqual([1, 2]);
    const statuses = inTool.spans
      .filter(({ name }) => name === 'invoke_agent h_refund')
      .map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([0, 0]);
  });

  test('two questions in one tool: each is one handoff, however often the tool passes it', async () => {
    const result = await run('twice');
    expect(result.code, result.stderr).toBe(0);
    expect(told(result).filter(([route]) => route === 'ask')).toHaveLength(2);
    expect(told(result).filter(([route]) => route === 'answer')).toHaveLength(2);
    expect(executions(result, 'ask', 'dispatch')).toEqual([1, 1]);
    // The first answer is given again when the second one comes.
    expect(executions(result, 'answer', 'dispatch')).toEqual([1, 1, 2]);
    expect(executions(result, 'to_refund', 'destination')).toEqual([1, 2, 3]);
  });

  test('a step that asks between two agents asks for the one before it', async () => {
    const result = await run('between');
    expect(result.code, result.stderr).toBe(0);
    expect(told(result)).toEqual([
      ['review', 'passed', null, []],
      ['review_ask', 'insufficient_evidence', 'unsupported', []],
    ]);
  });

  test('a graph that stops before a node hands over when it goes on', async () => {
    expect(told(await run('before'))).toEqual([['before', 'passed', null, []]]);
  });

  test('an interrupt without a checkpointer is a question that was never put', async () => {
    const result = await run('no_checkpointer');
    const ask = result.spans.find(({ attributes }) => attributes.get('seamtrace.handoff.route') === 'ask');
    expect(ask?.attributes.get('seamtrace.dispatch.outcome')).toBe('dropped');
    expect(ask?.attributes.get('error.type')).toBe('MISSING_CHECKPOINTER');
    const tool = result.spans.find(({ name }) => name === 'execute_tool refund');
    expect(tool?.attributes.get('error.type')).toBe('MISSING_CHECKPOINTER');
  });
});
