import { expect, test } from 'vitest';
import { runApp } from '../run-app.js';
import { FLOW_CONTRACTS } from './contracts.js';

const GROUPS = ['flows', 'people', 'reports', 'troubles', 'verdicts'];

test.each(['newest/app.mjs', 'newest/app.cjs', 'oldest/app.mjs'])(
  'applications do the same with and without us, byte for byte: %s',
  async (file) => {
    const app = `langgraph/${file}`;
    const without = await runApp({ app, args: GROUPS, instrumented: false });
    const with_ = await runApp({ app, args: GROUPS, contracts: FLOW_CONTRACTS, secret: 'key' });
    expect(without.code, without.stderr).toBe(0);
    expect(with_.code, with_.stderr).toBe(0);
    expect(with_.stdout).toBe(without.stdout);
    expect(without.stdout.split('\n').length).toBeGreaterThan(35);
    expect(without.spans).toHaveLength(0);
    expect(with_.spans.length).toBeGreaterThan(100);
    expect(with_.stderr).not.toContain('internal_error');
  },
);
