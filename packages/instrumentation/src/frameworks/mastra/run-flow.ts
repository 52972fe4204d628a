import { randomUUID } from 'node:crypto';
import { type Context, trace } from '@opentelemetry/api';
import type { HandoffContractError } from '@seamtrace/contracts';
import { ATTR_GEN_AI_AGENT_ID, ATTR_SEAMTRACE_CORRELATION_ID, ATTR_SEAMTRACE_TASK_ID } from '@seamtrace/semconv';
import { frameOf } from '../../accept/frame.js';
import { ambientTask } from '../../handoff/ambient-task.js';
import { deriveHandoffId } from '../../handoff/id.js';
import { beginTask, type Task } from '../../handoff/task.js';
import { endRun as endFollowed, startRun } from '../../hooks/agent-run.js';
import { endHandoff, refuseHandoff } from '../../hooks/handoff.js';
import { ownData, text } from '../../hooks/own-data.js';
import { activeContext } from '../../hooks/scope.js';
import type { Wiring } from '../../hooks/wiring.js';
import { enclosingRun } from '../../processor/run.js';
import { namesOf, routeNames, statedName } from './agent-names.js';
import { type AgentCall, agentCalled, agentReceives } from './delegate.js';
import type { Delegation } from './delegation.js';
import type { AgentLike } from './internal-types.js';
import { chosenBy, isRouter } from './network.js';
import { requestMember } from './request-context.js';
import { returnsAreUnread } from './return-leg.js';
import { forget, type MastraRun } from './run.js';
import { currentScope, type RunScope } from './run-scope.js';

/** Runs in progress. Each leaves when it is over; a stream that nobody reads to its end leaves with the process. */
const openRuns = new Set<MastraRun>();

/** What is called to begin a run. */
export interface RunCall extends AgentCall {
  readonly wiring: Wiring;
  readonly agent: AgentLike;
  /** What the application resumes a suspended run with; `undefined` where it begins one. */
  readonly resumed: unknown;
}

/**
 * An agent is called. Returns the run that begins; `undefined` where none does: the agent has no name, or the call is a
 * step of a run of the same agent that has only just begun, as where a durable agent calls itself. Returns the error with
 * which an enforcing producer refuses the call.
 */
export function beginRun(call: RunCall): MastraRun | HandoffContractError | undefined {
  const { wiring, options, resumed } = call;
  const { network, call: toolCall, run: around } = liveScope() ?? {};
  const routes = network !== undefined && isRouter(network, call.agent);
  const agent = routes ? network.agent : call.agent;
  const names = namesOf(agent);
  const name = statedName(names, wiring.contracts());
  if (name === undefined || (toolCall === undefined && network === undefined && isStepOf(around, agent)))
    return undefined;
  const delegation = delegationOf(call, agent, routes);
  const handoff = delegation?.handoff;
  if (delegation !== undefined && handoff !== undefined) {
    agentReceives(delegation, handoff, call);
    // Of a tool of the application's the source is judged here too: that it hands over is only known now.
    const refused =
      (delegation.to === undefined ? refuseHandoff(handoff, 'source') : undefined) ?? refuseHandoff(handoff, 'payload');
    if (refused !== undefined) {
      delegation.from.open.delete(delegation);
      return refused;
    }
    endHandoff(handoff, 'dispatched', { at: delegation.from.followed.now() });
  }
  const given = text(ownData(options, 'runId'));
  const active = activeContext();
  // Between the runs of a network no span is active, so the choice itself stands above the chosen.
  const context = network === undefined || handoff === undefined ? active : trace.setSpan(active, handoff.span);
  const begins = handoff === undefined && servesNoTask(context);
  const task = routes ? network.router?.followed.record.task : undefined;
  const own = begins && task === undefined ? firstTask(given) : undefined;
  const followed = startRun({
    wiring,
    agent: delegation === undefined ? name : takerName(delegation, agent, name),
    context,
    startedBy: handoff === undefined ? [] : [handoff],
    task: task ?? own,
    conversationId: conversationOf(options),
    attributes: names.id === undefined ? undefined : { [ATTR_GEN_AI_AGENT_ID]: names.id },
  });
  const run: MastraRun = {
    wiring,
    followed,
    agent,
    name: followed.agent,
    delegation,
    runId: given ?? randomUUID(),
    ownTask: own !== undefined,
    requestContext: ownData(options, 'requestContext'),
    agents: {},
    agentTools: new Set(),
    prompt: undefined,
    results: [],
    calls: new Map(),
    open: new Set(),
    returned: [],
    result: undefined,
    begun: false,
    routes,
    asked: false,
    answer: resumed === undefined ? undefined : { data: resumed, callId: text(ownData(options, 'toolCallId')) },
    output: undefined,
  };
  if (delegation !== undefined) delegation.taken = run;
  if (routes) network.router = run;
  openRuns.add(run);
  return run;
}

/** Mastra has said which run it is. The task of a first agent is named after it, so that a resumed run serves the same. */
export function runIsNamed(run: MastraRun, runId: string | undefined): void {
  if (runId === undefined || runId === run.runId) return;
  run.runId = runId;
  if (!run.ownTask || run.begun) return;
  const task = firstTask(runId);
  run.followed.record.task = task;
  run.followed.span.setAttribute(ATTR_SEAMTRACE_TASK_ID, task.identity.id);
  run.followed.span.setAttribute(ATTR_SEAMTRACE_CORRELATION_ID, task.correlationId);
}

/** Ends a run, once, with what is still open in it. */
export function endRun(run: MastraRun, errorType?: string): void {
  if (!openRuns.delete(run)) return;
  run.delegation?.from.open.delete(run.delegation);
  returnsAreUnread(run, errorType !== undefined);
  endFollowed(run.followed, { errorType });
  // A delegate's call looks at it once more as it returns, and a router's choice is made after the router has ended.
  if (run.delegation === undefined && !run.routes) forget(run);
}

/** Ends what is open when the process exits. */
export function endOpenRuns(): void {
  for (const run of openRuns) endRun(run, 'cancelled');
}

/** The scope of this call chain, where its run is still at work. */
function liveScope(): RunScope | undefined {
  const scope = currentScope();
  return scope?.run?.followed.ended === true && scope.network === undefined ? undefined : scope;
}

function isStepOf(around: MastraRun | undefined, agent: AgentLike): boolean {
  if (around === undefined || around.begun) return false;
  if (around.agent === agent) return true;
  const { id } = namesOf(agent);
  return id !== undefined && id === namesOf(around.agent).id;
}

/** The delegation by which the agent begins: the choice of a network's router, or a tool call. */
function delegationOf(call: RunCall, agent: AgentLike, routes: boolean): Delegation | undefined {
  const { network, call: toolCall } = liveScope() ?? {};
  if (network !== undefined && !routes) return chosenBy(network, agent, call);
  if (toolCall === undefined || (network !== undefined && network.router !== undefined)) return undefined;
  return delegationTo(toolCall, agent);
}

/** The delegation that a call of an agent inside a tool call is: the one that the tool is, or one of the application's. */
function delegationTo(call: Delegation, agent: AgentLike): Delegation | undefined {
  const { to } = call;
  if (to === undefined) return agentCalled(call, agent);
  if (call.taken !== undefined) return undefined;
  if (to.agent === undefined || to.agent === agent) return call;
  // A version of the agent that an editor stored is another object.
  const { id } = namesOf(agent);
  return id !== undefined && id === namesOf(to.agent).id ? call : undefined;
}

function takerName({ to, from }: Delegation, agent: AgentLike, name: string): string {
  return routeNames(to?.key, namesOf(agent), from.wiring.contracts())?.destination ?? name;
}

function servesNoTask(context: Context): boolean {
  return enclosingRun(context) === undefined && frameOf(context) === undefined && ambientTask(context) === undefined;
}

function firstTask(runId: string | undefined): Task {
  return beginTask(runId === undefined ? undefined : deriveHandoffId('mastra-task', [runId]));
}

/** The memory thread, by the options of the call or by what the application's middleware has set. */
function conversationOf(options: unknown): string | undefined {
  const thread = ownData(ownData(options, 'memory'), 'thread') ?? ownData(options, 'threadId');
  const set = requestMember(ownData(options, 'requestContext'), 'mastra__threadId');
  return text(set) ?? text(thread) ?? text(ownData(thread, 'id'));
}
