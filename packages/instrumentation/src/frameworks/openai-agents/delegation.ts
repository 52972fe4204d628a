import { randomUUID } from 'node:crypto';
import type { HandoffContractError } from '@seamtrace/contracts';
import { otherWays, type Seen } from '../../capture/other-ways.js';
import { refusalOf } from '../../enforce/judge.js';
import { deriveHandoffId } from '../../handoff/id.js';
import { subtask } from '../../handoff/task.js';
import { elements, memberOf, ownData, text } from '../../hooks/own-data.js';
import { noteDispatched, runOf } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import type { AgentRun, Delegation, ToolCallSpan } from './agent-run.js';
import { declaredTools } from './agent-tools.js';
import { rawItems } from './call-items.js';
import { readCarriers } from './carriers.js';
import { beginDispatch, type Dispatch, endDispatch } from './dispatch.js';
import type { AgentLike, RunStateLike } from './internal-types.js';
import { concludePayload, concludeSource, withEarlier } from './stages.js';

// An agent as a tool (`asTool`), or a tool of the application's that runs another agent: the agent that called the tool
// waits. What both share is the context; the call's arguments become a text for the other one to read.

/** What the run is begun with. */
export interface DelegateCall {
  readonly agent: AgentLike;
  readonly input: unknown;
  /** The options of the run; `context` is a value, or a `RunContext` of the SDK's. */
  readonly options: unknown;
  /** The state that is gone on with, where one is given instead of input. */
  readonly resumed: RunStateLike | undefined;
}

/** A delegation on record, or the error with which an enforcing producer refuses it. */
export type Begun =
  | { readonly delegation: Delegation; readonly refusal?: undefined }
  | { readonly refusal: HandoffContractError; readonly delegation?: undefined };

/**
 * A run begins inside a tool call of another one: the agent whose tool it is hands over, and waits. `undefined` where it is no
 * boundary: an agent that runs itself hands nothing over.
 */
export function delegates(parent: AgentRun, tool: ToolCallSpan, call: DelegateCall): Begun | undefined {
  const { turn, memory } = parent;
  const target = text(call.agent.name);
  if (turn === undefined || target === undefined || turn.agent === call.agent || turn.name === target) return undefined;
  const idParts = [tool.callId ?? randomUUID(), target, tool.delegations.length];
  const id = idParts.join('~');
  const execution = (memory.executions.get(id) ?? 0) + 1;
  memory.executions.set(id, execution);
  const task = isParallel(parent, tool)
    ? subtask(memory.task, { id: deriveHandoffId('oai-task', [memory.nonce, ...idParts]) })
    : memory.task;
  const dispatch = beginDispatch(parent, {
    source: turn.name,
    target,
    call: { callId: tool.callId, toolName: tool.name },
    args: tool.args,
    position: 0,
    handoff: undefined,
    delegation: { idParts, execution, task },
  });
  const tools = declaredTools(call.agent);
  const { terms } = dispatch;
  const secret = parent.wiring.secret();
  const given = ownData(call.resumed ?? call.options, call.resumed === undefined ? 'context' : '_context');
  const context = contextValue(given);
  const sent = readCarriers({ context, args: undefined, tools }, terms, secret);
  // What the tool looked up for the other agent, the producer can read when it hands over.
  dispatch.sourceSeen = readCarriers({ context: tool.context, args: tool.args, tools }, terms, secret);
  dispatch.mayHold = call.resumed !== undefined ? () => true : otherWays(besides(call, given));
  concludeSource(parent, dispatch, withEarlier(dispatch, sent));
  const first = refusalOf({ ...dispatch, wiring: parent.wiring }, 'source');
  if (first !== undefined) return refused(parent, dispatch, first);
  // The arguments are gone: what became of them is text.
  dispatch.args = undefined;
  dispatch.mayHold = historyIsUnseen(call)
    ? () => true
    : otherWays(besides(call, given), [tool.context, parsed(tool.args)]);
  concludePayload(parent, dispatch, sent);
  const second = refusalOf({ ...dispatch, wiring: parent.wiring }, 'payload');
  if (second !== undefined) return refused(parent, dispatch, second);
  endDispatch(dispatch, 'dispatched', parent.now());
  noteDispatched(runOf(turn.span, turn.parentContext), dispatch.state.id);
  const delegation: Delegation = {
    dispatch,
    returnedBy: undefined,
    task: { ...task, hop: dispatch.state.hop },
    context,
  };
  tool.delegations.push(delegation);
  return { delegation };
}

function refused(run: AgentRun, dispatch: Dispatch, refusal: HandoffContractError): Begun {
  guarded('a refused handoff', () => endDispatch(dispatch, 'prevented', run.now(), refusal.code), undefined);
  return { refusal };
}

/** Other calls were asked for in the same turn, or one is at work still: the parts are tasks of their own. */
function isParallel(run: AgentRun, tool: ToolCallSpan): boolean {
  const requested = elements(ownData(run.state?._lastProcessedResponse, 'functions')).length;
  return requested > 1 || [...run.tools].some((other) => other !== tool && other.endedAt === undefined);
}

/** The value in a `RunContext`, which the SDK takes as it is, or what is given itself. */
export function contextValue(given: unknown): unknown {
  // An application's own context may have members of these names.
  const isRunContext =
    typeof memberOf(given, 'isToolApproved').value === 'function' && typeof ownData(given, 'usage') === 'object';
  return isRunContext ? ownData(given, 'context') : given;
}

/** What the other agent can read besides the context: its input, its own instructions, and the input of its tool. */
function besides({ agent, input }: DelegateCall, given: unknown): Seen {
  const instructions = text(ownData(agent, 'instructions'));
  return {
    structures: () => [ownData(given, 'toolInput'), ownData(ownData(agent, 'prompt'), 'variables')],
    texts: () => [...textsOf(input), ...(instructions === undefined ? [] : [instructions])],
  };
}

/** A session, a provider, a filter of this run's or a state that is gone on with may bring texts that nobody sees here. */
function historyIsUnseen({ options, resumed }: DelegateCall): boolean {
  const unseen = ['session', 'conversationId', 'previousResponseId', 'callModelInputFilter'];
  return resumed !== undefined || unseen.some((name) => (ownData(options, name) ?? undefined) !== undefined);
}

function textsOf(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  return rawItems(input).flatMap((item) => {
    const content = ownData(item, 'content');
    if (typeof content === 'string') return [content];
    return elements(content).flatMap((part) => text(ownData(part, 'text')) ?? []);
  });
}

function parsed(args: string | undefined): unknown {
  try {
    return args === undefined ? undefined : (JSON.parse(args) as unknown);
  } catch {
    return undefined;
  }
}
