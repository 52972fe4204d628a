import type { GradedHandoff } from '@seamtrace/core';
import { deriveHandoffId } from '../../../packages/instrumentation/src/handoff/id.js';
import { type AppOptions, type AppResult, runApp } from '../run-app.js';
import { CONTRACTS } from './contracts.js';

export interface Scenarios extends AppResult {
  /** What each scenario gave. */
  readonly given: Readonly<Record<string, Record<string, unknown>>>;
  /** The handoffs of one scenario, forward legs first, then in the order of their ids. */
  readonly of: (scenario: string) => readonly GradedHandoff[];
}

/** Runs scenarios of `apps/list.mjs` in one process. Each is one run of Mastra's, named after the scenario. */
export async function runScenarios(
  version: 'newest' | 'oldest',
  names: readonly string[],
  options: Partial<AppOptions> = {},
): Promise<Scenarios> {
  const app = `mastra/${version}/app.mjs`;
  const env = { MASTRA_TELEMETRY_DISABLED: '1', ...options.env };
  const result = await runApp({ app, args: names, contracts: CONTRACTS, ...options, env });
  if (result.code !== 0) throw new Error(`${String(result.code)}: ${result.stderr}`);
  return {
    ...result,
    given: JSON.parse(result.stdout) as Scenarios['given'],
    of: (scenario) => {
      const task = deriveHandoffId('mastra-task', [scenario]);
      return result.grades.filter(({ task_id, source }) => task_id === task && source !== 'human');
    },
  };
}

/** What a grade says, in short. */
export function said(grade: GradedHandoff | undefined): readonly unknown[] {
  if (grade === undefined) return [];
  const { source, target, destination, verdict, boundary, missing_keys, reason } = grade;
  return [`${source} > ${target} = ${destination}`, verdict, boundary, missing_keys.join(), reason];
}
