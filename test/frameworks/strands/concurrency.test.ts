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

test('200 runs at once keep their evidence apart', async () => {
  const { code, grades } = await runApp({ app: 'strands/newest/app.mjs', args: ['crowd'], contracts });
  expect(code).toBe(0);
  const verdicts = new Map(grades.map(({ route, verdict }) => [route, verdict]));
  expect(verdicts.size).toBe(200);
  SCENARIOS.forEach((each, index) =>
    expect(verdicts.get(each)).toBe(index % 2 === 0 ? 'passed' : 'upstream_context_missing'),
  );
});

test('nothing of a run is held once it is over', async () => {
  const { code, stdout } = await runApp({
    app: 'strands/newest/app.mjs',
    args: ['letGo'],
    nodeArgs: ['--expose-gc'],
  });
  expect(code).toBe(0);
  expect(stdout).toContain('held 0');
});
