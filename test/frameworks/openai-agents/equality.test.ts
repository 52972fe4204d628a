import { expect, test } from 'vitest';
import { contractsFor } from '../google-adk/contracts.js';
import { runApp } from '../run-app.js';
import { ROUTES } from './contracts.js';

test.each(['newest/app.mjs', 'oldest/app.mjs'])(
  'the application and its model see the same with and without us: %s',
  async (app) => {
    const [observed, alone] = await Promise.all(
      [true, false].map((instrumented) =>
        runApp({ app: `openai-agents/${app}`, contracts: contractsFor(ROUTES), instrumented, secret: 'test-secret' }),
      ),
    );
    expect(observed?.code).toBe(0);
    expect(observed?.spans.length).toBeGreaterThan(50);
    expect(alone?.stdout).toContain('== upstream');
    expect(observed?.stdout).toBe(alone?.stdout);
  },
);
