import { expect, test } from 'vitest';
import { runApp, spansNamed } from '../run-app.js';
import { CROWD_CONTRACTS } from './contracts.js';

const outcomeOf = (stdout: string): unknown => (JSON.parse(stdout) as { outcome: unknown }).outcome;

test('200 runs at once through one graph: no evidence crosses from one to another', async () => {
  const result = await runApp({
    app: 'langgraph/newest/app.mjs',
    args: ['crowd.at_once'],
    contracts: CROWD_CONTRACTS,
  });
  expect(result.code, result.stderr).toBe(0);
  expect(outcomeOf(result.stdout)).toEqual(
    Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? `o${index}` : null)),
  );
  const verdicts = result.grades.map(({ verdict }) => verdict);
  expect(verdicts.filter((verdict) => verdict === 'passed')).toHaveLength(100);
  expect(verdicts.filter((verdict) => verdict === 'upstream_context_missing')).toHaveLength(100);

  const taken = spansNamed(result, 'invoke_agent q_billing');
  expect(taken).toHaveLength(200);
  for (const { attributes } of taken) {
    const index = Number(String(attributes.get('gen_ai.conversation.id')).slice('run-'.length));
    for (const stage of ['source', 'payload', 'destination'])
      expect(attributes.get(`seamtrace.${stage}.keys`)).toEqual(index % 2 === 0 ? ['order_id'] : []);
  }
  // Each run is a trace, a task and a handoff of its own.
  for (const key of ['seamtrace.handoff.id', 'seamtrace.task.id', 'gen_ai.conversation.id'])
    expect(new Set(taken.map(({ attributes }) => attributes.get(key))).size).toBe(200);
  expect(new Set(taken.map(({ traceId }) => traceId)).size).toBe(200);
});

test('nothing of a run stays when it is over', async () => {
  const result = await runApp({
    app: 'langgraph/newest/app.mjs',
    args: ['crowd.collected'],
    contracts: CROWD_CONTRACTS,
    nodeArgs: ['--expose-gc'],
  });
  expect(result.code, result.stderr).toBe(0);
  expect(result.grades.map(({ route, verdict }) => [route, verdict])).toEqual([['left', 'passed']]);
  expect(outcomeOf(result.stdout)).toEqual([true, true]);
});
