import type { GradedHandoff } from '@seamtrace/core';

/** The contract file of scenarios: agents have names of their own in each, and the routes are the same in all. */
export function contractsOf(scenarios: readonly string[]): Readonly<Record<string, unknown>> {
  const agents = scenarios.flatMap((name) =>
    ['triage', 'refunds', 'billing', 'ledger'].map((id) => [`${name}-${id}`, {}]),
  );
  const routes = scenarios.flatMap((name) => [
    [
      `${name}_refund`,
      {
        from: `${name}-triage`,
        to: `${name}-refunds`,
        version: '1',
        required: ['orderId'],
        hop_limit: 5,
      },
    ],
    [`${name}_answer`, { from: `${name}-refunds`, to: `${name}-triage`, version: '1', required: ['receipt'] }],
    [`${name}_bill`, { from: `${name}-triage`, to: `${name}-billing`, version: '1', required: ['task'] }],
    [`${name}_approve`, { from: 'human', to: `${name}-refunds`, version: '1', required: ['approved'] }],
    [`${name}_book`, { from: `${name}-refunds`, to: `${name}-ledger`, version: '1', required: ['orderId'] }],
  ]);
  return { agents: { ...Object.fromEntries(agents), human: {} }, routes: Object.fromEntries(routes) };
}

/** A verdict in one line: route, verdict and boundary, and what goes with them. */
export function lineOf(grade: GradedHandoff): string {
  const { route, verdict, boundary, missing_keys: missing, reason } = grade;
  const [, name = 'undeclared'] = route?.split('_') ?? [];
  return [name, verdict, boundary, ...missing, ...(reason === null ? [] : [reason])].join(' ');
}

/** The grades of one scenario, by the agents that took part. */
export function gradesOf(grades: readonly GradedHandoff[], scenario: string): readonly GradedHandoff[] {
  return grades.filter(({ source, target }) => [source, target].some((name) => name?.startsWith(`${scenario}-`)));
}
