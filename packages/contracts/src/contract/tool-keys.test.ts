import { describe, expect, it } from 'vitest';
import { buildEnvelopeContext } from '../builder/build.js';
import { createContracts } from '../file/create.js';
import { parseContracts } from '../file/parse.js';
import { isToolKey, toolKey } from './tool-keys.js';

const route = { from: 'triage', to: 'billing', version: '1', required: ['customer_id'] };

describe('tools that a destination needs', () => {
  it('are required as keys of their own, and permitted where a list is written', () => {
    const plain = createContracts({ routes: { r: { ...route, tools: ['lookup', 'mcp.search'] } } });
    expect(plain.routes.get('r')?.versions.get('1')).toMatchObject({
      required: ['customer_id', '$tools.lookup', '$tools.mcp\\.search'],
      permitted: undefined,
    });
    const listed = createContracts({
      routes: { r: { ...route, permitted: ['customer_id', 'locale'], tools: ['lookup'] } },
    });
    expect(listed.routes.get('r')?.versions.get('1')?.permitted).toEqual(['customer_id', 'locale', '$tools.lookup']);
  });

  it('change nothing of a contract that lists none', () => {
    const without = createContracts({ routes: { r: route } });
    const empty = createContracts({ routes: { r: { ...route, tools: [] } } });
    expect(empty.digest).toBe(without.digest);
    expect(createContracts({ routes: { r: { ...route, tools: ['lookup'] } } }).digest).not.toBe(without.digest);
  });

  it('are no part of what the builder looks for and packs', () => {
    const contracts = createContracts({ routes: { r: { ...route, tools: ['lookup'] } } });
    const built = buildEnvelopeContext({ route: contracts.routes.get('r')!, source: { customer_id: 1, note: 2 } });
    expect(built).toEqual({ ok: true, context: { customer_id: 1 }, dropped: ['note'], version: '1' });
  });

  it('whose name no key can spell are a fault, with file and line', () => {
    const text =
      "version: 1\nroutes:\n  r:\n    from: a\n    to: b\n    version: '1'\n    required: []\n    tools: [look up, ok, 7]\n";
    const parsed = parseContracts(text, 'c.yaml');
    expect(parsed.ok).toBe(false);
    const problems = parsed.ok ? [] : parsed.problems.map(({ line, column, message }) => [line, column, message]);
    expect(problems).toEqual([
      [
        8,
        13,
        expect.stringMatching(/^"look up" in "tools" of route "r" is not a name of a tool: it has up to 64 letters/),
      ],
      [8, 26, '"tools" of route "r" must be text; found the number 7'],
    ]);
    expect(toolKey('')).toBeUndefined();
    expect(toolKey('x'.repeat(65))).toBeUndefined();
    expect(isToolKey('$tools.x')).toBe(true);
    expect(isToolKey('tools.x')).toBe(false);
  });
});
