import { describe, expect, it } from 'vitest';
import { runApp, spansNamed } from '../run-app.js';
import { contractsOf, gradesOf, lineOf } from './contracts.js';

interface Told {
  readonly value?: unknown;
  readonly error?: string;
  readonly inputs: readonly { readonly model: string; readonly prompt: readonly { content: unknown }[] }[];
}

describe.each([5, 6, 7])('Vercel AI SDK %i', { timeout: 60_000 }, (version) => {
  const app = `vercel-ai/v${version}/app.mjs`;

  it('keeps nothing of a run that is over', async () => {
    const options = { app, args: ['leak'], nodeArgs: ['--expose-gc'], contracts: contractsOf(['leak']) };
    const plain = await runApp({ ...options, instrumented: false });
    const run = await runApp(options);
    const left = (stdout: string): number => (JSON.parse(stdout) as { leak: { value: number } }).leak.value;
    // The last ones may still be on the stack.
    expect(left(plain.stdout)).toBeLessThan(10);
    expect(left(run.stdout)).toBeLessThan(10);
    const given = spansNamed(run, 'invoke_agent leak-given_up');
    expect(given).toHaveLength(50);
  });

  it('refuses at either side where the contract says so, and only then', async () => {
    const names = ['packaging', 'ingestion', 'passed'];
    const contracts = contractsOf(names) as { routes: Record<string, object> };
    const enforced = (name: string, side: string): object => ({
      ...contracts.routes[`${name}_refund`],
      enforce: { [side]: 'enforce' },
      on_violation: 'fail',
      purpose: 'refund an order',
      reviewed_by: 'payments',
    });
    const routes = {
      ...contracts.routes,
      packaging_refund: enforced('packaging', 'producer'),
      ingestion_refund: enforced('ingestion', 'consumer'),
      passed_refund: enforced('passed', 'producer'),
    };
    const run = await runApp({ app, args: [names.join(',')], contracts: { ...contracts, routes } });
    const told = JSON.parse(run.stdout) as Record<string, Told>;
    const modelsOf = (name: string): string[] => (told[name]?.inputs ?? []).map(({ model }) => model);
    // The tool fails, and the model that had called it reads why.
    expect(modelsOf('packaging')).toEqual(['triage', 'triage']);
    expect(modelsOf('ingestion')).toEqual(['triage', 'triage']);
    expect(modelsOf('passed')).toEqual(['triage', 'refunds', 'triage']);
    expect(JSON.stringify(told['packaging']?.inputs[1])).toContain('orderId');
    const [prevented] = gradesOf(run.grades, 'packaging').map(lineOf);
    expect(prevented).toBe('refund packaging_loss source_to_payload orderId');
    expect(spansNamed(run, 'handoff packaging-refunds')[0]?.attributes.get('seamtrace.dispatch.outcome')).toBe(
      'prevented',
    );
    const [rejected] = gradesOf(run.grades, 'ingestion').map(lineOf);
    expect(rejected).toBe('refund ingestion_loss payload_to_destination orderId');
  });
});
