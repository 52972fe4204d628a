import { describe, expect, test } from 'vitest';
import { NODES } from './nodes.js';
import { outcomeOf, OURS, VERDICTS } from './verdict-of.js';

describe.each(NODES)('%s', (_, node) => {
  test.each(['app.mjs', 'app.cjs'])('%s: its spans go out by our own way, with their verdicts', async (file) => {
    const app = `coexistence/otel2/${file}`;
    const result = await outcomeOf({ app, node, args: ['none', 'first'] });
    expect(result.stderr).toBe('');
    expect(result.ours).toEqual(OURS);
    expect(result.verdicts).toEqual(VERDICTS);
  });
});
