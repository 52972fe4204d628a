import { expect, test } from 'vitest';
import { runApp } from '../run-app.js';
import { contractsFor, ROUTES } from './contracts.js';

test.each(['newest/app.mjs', 'newest/app.cjs', 'oldest/app.mjs'])(
  'the application sees the same with and without us: %s',
  async (app) => {
    const [with_, without] = await Promise.all(
      [true, false].map((instrumented) =>
        runApp({ app: `google-adk/${app}`, contracts: contractsFor(ROUTES), instrumented, secret: 'test-secret' }),
      ),
    );
    expect(with_?.code).toBe(0);
    expect(with_?.spans.length).toBeGreaterThan(100);
    expect(without?.stdout).toContain('== scopedState');
    expect(with_?.stdout).toBe(without?.stdout);
  },
);
