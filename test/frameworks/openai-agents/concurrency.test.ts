import { expect, test } from 'vitest';
import { runApp } from '../run-app.js';

const SCENARIOS = Array.from({ length: 200 }, (_, index) => `crowd${index}`);
const contracts = {
  agents: Object.fromEntries(
    SCENARIOS.flatMap((each) => [
      [`${each}_triage`, {}],
      [`${each}_billing`, {}],
    ]),
  ),
  routes: Object.fromEntries(
    SCENARIOS.map((each) => [
      each,
      { from: `${each}_triage`, to: `${each}_billing`, version: '1', required: ['order_id'] },
    ]),
  ),
};

test.each(['newest', 'oldest'])('200 runs at once keep their evidence apart: %s', async (version) => {
  const { code, grades } = await runApp({ app: `openai-agents/${version}/app.mjs`, args: ['crowd'], contracts });
  expect(code).toBe(0);
  const found = new Map(grades.map(({ route, verdict }) => [route, verdict]));
  expect(found.size).toBe(200);
  SCENARIOS.forEach((each, index) =>
    expect(found.get(each)).toBe(index % 2 === 0 ? 'passed' : 'upstream_context_missing'),
  );
});

test.each(['newest', 'oldest'])('nothing of a run is held once it is over: %s', async (version) => {
  const { code, stdout } = await runApp({
    app: `openai-agents/${version}/app.mjs`,
    args: ['letGo'],
    nodeArgs: ['--expose-gc'],
  });
  expect(code).toBe(0);
  expect(stdout).toContain('held 0');
});
