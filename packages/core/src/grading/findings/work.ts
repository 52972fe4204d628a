import { sortUnique } from '@seamtrace/contracts';
import type { RunEvidence, ToolEvidence } from '../../evidence/types.js';
import { attemptsOf } from '../../tasks/path.js';
import { replanOf } from '../../tasks/replan.js';
import { beganWithin } from '../../evidence/spans.js';
import { isTransferTool } from '../../tasks/transfer-tools.js';
import { wholeDigest } from './keys.js';
import { inTask } from './whole-task.js';
import type { FindingPass } from './types.js';

/** The consumer made calls that a run before it on the path had made with success (wire contract, section 7). */
export const redundantWork: FindingPass = (input) => {
  const task = inTask(input);
  if (task === undefined) return undefined;
  const replan = replanOf(task.view, task.hop, input.subject.route?.replanIgnore ?? [], true);
  if (replan === undefined || replan.redundant.length === 0) return undefined;
  const calls = replan.redundant.reduce((total, each) => total + each.calls, 0);
  return { id: 'redundant_work', detail: { calls, tools: replan.redundant.map(({ tool }) => tool) } };
};

/**
 * One attempt was executed twice, and both executions ran the same tool with the same arguments. Which tools have effects
 * only the contract can say, by listing those that may be repeated: without such a list nothing is found.
 */
export const repeatedEffect: FindingPass = (input) => {
  const task = inTask(input);
  const idempotent = input.subject.route?.idempotent ?? [];
  if (task === undefined || idempotent.length === 0) return undefined;
  const { view, hop } = task;
  if (attemptsOf(view, hop.handoffId).length > 1) return undefined;
  const runs = view.runs.filter((run) => run.handoffId === hop.handoffId);
  const executions = new Map<string, Set<number>>();
  for (const call of view.toolsOf(hop.handoffId)) {
    const execution = executionOf(call, runs);
    if (execution === undefined || idempotent.includes(call.tool) || isTransferTool(call.tool)) continue;
    if (wholeDigest(call.argumentsDigest) === undefined || call.span.failed) continue;
    const id = JSON.stringify([call.tool, call.argumentsDigest]);
    executions.set(id, (executions.get(id) ?? new Set()).add(execution));
  }
  const repeated = [...executions].filter(([, numbers]) => numbers.size > 1).map(([id]) => toolIn(id));
  return repeated.length === 0 ? undefined : { id: 'repeated_effect', detail: { tools: sortUnique(repeated) } };
};

/** The execution in whose run a call was made; `undefined` where none, or more than one, could be it. */
function executionOf({ span }: ToolEvidence, runs: readonly RunEvidence[]): number | undefined {
  const within = runs.filter((run) => beganWithin(span, run.span));
  return within.length === 1 ? within[0]!.span.execution : undefined;
}

function toolIn(id: string): string {
  return (JSON.parse(id) as [string, string])[0];
}
