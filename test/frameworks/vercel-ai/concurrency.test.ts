import { describe, expect, it } from 'vitest';
import { runApp, spansNamed } from '../run-app.js';
import { contractsOf, gradesOf, lineOf } from './contracts.js';

describe.each([5, 6, 7])('200 runs at once with the Vercel AI SDK %i', (version) => {
  it('keep what they carry apart', { timeout: 60_000 }, async () => {
    const app = `vercel-ai/v${version}/app.mjs`;
    const result = await runApp({ app, args: ['many'], contracts: contractsOf(['many']) });
    expect(result.code).toBe(0);
    const forward = gradesOf(result.grades, 'many').filter(({ target }) => target === 'many-refunds');
    expect(forward.map(lineOf)).toEqual(Array.from({ length: 200 }, () => 'refund passed none'));
    const own = (value: unknown): string[] => (value as string[]).filter((key) => key.startsWith('own_'));
    const dispatched = spansNamed(result, 'handoff many-refunds');
    const taken = spansNamed(result, 'invoke_agent many-refunds');
    expect(dispatched).toHaveLength(200);
    const sent = new Map(
      dispatched.map(({ attributes }) => [
        attributes.get('seamtrace.handoff.id'),
        own(attributes.get('seamtrace.payload.keys')),
      ]),
    );
    expect(new Set([...sent.values()].map(([key]) => key)).size).toBe(200);
    for (const { attributes } of taken) {
      const keys = own(attributes.get('seamtrace.destination.keys'));
      expect(keys).toHaveLength(1);
      expect(keys).toEqual(sent.get(attributes.get('seamtrace.handoff.id')));
    }
  });
});
