import { randomUUID } from 'node:crypto';
import { ATTR_GEN_AI_AGENT_ID } from '@seamtrace/semconv';
import type { HandoffContractError } from '@seamtrace/contracts';
import { endRun as endFollowed, type FollowedRun, startRun } from '../../hooks/agent-run.js';
import { refuseHandoff } from '../../hooks/handoff.js';
import { ownData, text } from '../../hooks/own-data.js';
import { activeContext } from '../../hooks/scope.js';
import type { Wiring } from '../../hooks/wiring.js';
import { guarded } from '../../runtime/report.js';
import { agentName, ownInstructions, settingsOf } from './agent-names.js';
import { delegate, dispatched } from './handoff-flow.js';
import { answersIn, asksPerson } from './people.js';
import { returnsAreUnread } from './return-leg.js';
import type { AgentRun } from './run.js';
import { currentScope } from './run-scope.js';

/** What is at work. Holds no run: a stream that nobody reads to its end is forgotten with it. */
const openRuns = new Set<FollowedRun>();
const forgotten = new FinalizationRegistry<FollowedRun>((followed) => {
  if (openRuns.delete(followed))
    guarded('a stream that was given up', () => endFollowed(followed, GIVEN_UP), undefined);
});
const GIVEN_UP = { errorType: 'cancelled' };

/** What comes of the call of an agent: a run, or the error with which its producer may not make it. */
export type Begun =
  { readonly run: AgentRun; readonly refused?: undefined } | { readonly refused: HandoffContractError };

/** An agent is called. `undefined` where it has no name: then nothing is said of it. */
export function beginRun(wiring: Wiring, agent: object, options: unknown): Begun | undefined {
  const name = agentName(agent, options);
  if (name === undefined) return undefined;
  const work = currentScope()?.work;
  const delegation = work === undefined || work.ended ? undefined : delegate(work, agent, name, options);
  if (delegation !== undefined) {
    const refused = refuseHandoff(delegation.handoff, 'source') ?? refuseHandoff(delegation.handoff, 'payload');
    if (refused !== undefined) return { refused };
    dispatched(delegation);
  }
  const id = text(ownData(settingsOf(agent), 'id'));
  const followed = startRun({
    wiring,
    agent: name,
    context: activeContext(),
    startedBy: delegation === undefined ? [] : [delegation.handoff],
    attributes: id === undefined ? undefined : { [ATTR_GEN_AI_AGENT_ID]: id },
  });
  const run: AgentRun = {
    wiring,
    followed,
    agent,
    name,
    runKey:
      delegation === undefined ? randomUUID() : `${delegation.handoff.state.id}~${delegation.handoff.state.attempt}`,
    delegation,
    options,
    contexts: [],
    instructions: ownInstructions(agent, options),
    prompt: [],
    open: new Set(),
    returned: [],
    asked: false,
    answers: answersIn(options),
  };
  if (delegation !== undefined) delegation.run = run;
  openRuns.add(followed);
  forgotten.register(run, followed, followed);
  return { run };
}

/** What the run gives to its caller: its steps, and questions to a person among them. */
export function runGives(run: AgentRun, steps: unknown): void {
  if (run.delegation !== undefined) run.delegation.steps = steps;
  asksPerson(run, steps);
}

/** Ends a run, once, with what is still open in it. */
export function endRun(run: AgentRun, errorType?: string): void {
  const { followed } = run;
  if (!openRuns.delete(followed)) return;
  forgotten.unregister(followed);
  if (errorType !== undefined && run.delegation !== undefined) run.delegation.failed = true;
  returnsAreUnread(run, errorType !== undefined);
  endFollowed(followed, { errorType });
}

/** Ends what is open when the process exits. */
export function endOpenRuns(): void {
  for (const followed of openRuns) endFollowed(followed, GIVEN_UP);
  openRuns.clear();
}
