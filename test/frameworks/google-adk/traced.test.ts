import { expect, test } from 'vitest';
import { runApp, spansNamed } from '../run-app.js';
import { contractsFor, ROUTES } from './contracts.js';

test('beside the spans of the framework itself the verdicts are the same, and one run has one record', async () => {
  const contracts = contractsFor(ROUTES);
  const options = { contracts, secret: 'test-secret' };
  const [traced, untraced] = await Promise.all(
    ['traced', 'app'].map((app) => runApp({ app: `google-adk/newest/${app}.mjs`, ...options })),
  );
  const told = (result: typeof traced) =>
    (result?.grades ?? [])
      .map((each) =>
        [
          each.source,
          each.target,
          each.destination,
          each.verdict,
          each.boundary,
          each.missing_keys,
          each.run_outcome,
          // The framework's own span of `transfer_to_agent` states no arguments: it may be work that makes a round new.
          each.findings.map(({ id }) => id).filter((id) => id !== 'loop'),
        ].join(' '),
      )
      .sort();
  expect(traced?.code).toBe(0);
  expect(spansNamed(traced!, 'invocation').length).toBeGreaterThan(30);
  expect(spansNamed(untraced!, 'invocation')).toEqual([]);
  expect(told(traced)).toEqual(told(untraced));
  const ids = spansNamed(traced!, 'invoke_agent')
    .map(({ attributes }) => attributes.get('seamtrace.handoff.id'))
    .filter((id) => id !== undefined);
  expect(ids.length).toBeGreaterThan(30);
  expect(new Set(ids).size).toBe(ids.length);
});
