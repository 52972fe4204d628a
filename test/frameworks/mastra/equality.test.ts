import { expect, it } from 'vitest';
import { runScenarios } from './run-scenarios.js';

const BOTH = ['passed', 'upstream', 'packagingTool', 'packagingArguments', 'ingestion', 'misrouted', 'text'];
const NEWEST = [
  ...BOTH,
  ...['packagingHook', 'rejected', 'badArguments', 'rewritten', 'quoted', 'lookedUp', 'parallel', 'nested', 'workflow'],
  ...['alone', 'loop', 'modelFails', 'toolFails', 'filterFails', 'aborted', 'custom', 'stream', 'structured'],
  ...['allMessages', 'noMessages', 'network', 'approved', 'approvedStream', 'declinedAlone'],
];

/** What differs between two runs of the same application anyway: ids that are made at random, and the time. */
function steady(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/"createdAt": ?(\d+|"[^"]*")/g, '"createdAt":0');
}

const byText = (a: unknown, b: unknown): number => (steady(JSON.stringify(a)) < steady(JSON.stringify(b)) ? -1 : 1);

// Each scenario gives what its models were asked, in order, what came out and what was thrown.
it.each([
  ['newest', NEWEST],
  ['oldest', BOTH],
] as const)(
  'changes nothing of an application: %s',
  async (version, names) => {
    const with_ = await runScenarios(version, names);
    const without = await runScenarios(version, names, { instrumented: false });
    expect(with_.spans.length).toBeGreaterThan(0);
    expect(without.spans).toEqual([]);
    // Mastra imports modules as it calls models. With any loader hook, also one that does nothing, Node.js answers two such
    // imports in either order, and so the two delegates of `parallel` take either turn.
    for (const given of [with_.given, without.given])
      (given['parallel']?.['inputs'] as unknown[] | undefined)?.sort(byText);
    const all = (given: object) =>
      names.map((name) => [name, steady(JSON.stringify(Reflect.get(given, name), null, 1))]);
    expect(all(with_.given)).toEqual(all(without.given));
    expect(steady(with_.stderr)).toBe(steady(without.stderr));
  },
  60_000,
);
