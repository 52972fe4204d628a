import { types } from 'node:util';
import type { HandoffContractError } from '@seamtrace/contracts';
import { endRun, startRun } from '../../hooks/agent-run.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import type { GeneratorFlow } from '../../hooks/follow-generator.js';
import { memberOf, ownData, text } from '../../hooks/own-data.js';
import { activeContext, within } from '../../hooks/scope.js';
import { guarded } from '../../runtime/report.js';
import { ownState, textsOf } from './carriers.js';
import { delegateReturns, delegationInto } from './delegation.js';
import { returnsUnseen } from './destination.js';
import { concludeHandoff, dispatched } from './handoff-flow.js';
import type { AgentLike } from './internal-types.js';
import type { PatchedCopy } from './patch.js';
import { type AgentFrame, currentScope, inScope, type Scope, type StrandsHandoff, type ToolStep } from './scope.js';

/** Agents at work. One whose stream nobody reads to its end is let go with it, so none is held here. */
const openFrames = new Map<AgentFrame['run']['now'], WeakRef<AgentFrame>>();
const unread = new FinalizationRegistry<AgentFrame['run']['now']>((key) => openFrames.delete(key));

/** Ends what is open as the process exits: the agents inside first. */
export function endOpenRuns(): void {
  for (const reference of [...openFrames.values()].reverse()) {
    const frame = reference.deref();
    if (frame !== undefined) leaveAgent(frame, 'cancelled');
  }
}

const DEFAULT_ID = 'agent';
const UNREADABLE = Symbol('unreadable');

/** The name of an agent: its id, by which swarms know it, unless it was given none. */
export function nameOf(agent: unknown): string | undefined {
  const id = text(memberOf(agent, 'id').value);
  return id === undefined || id === DEFAULT_ID ? (text(memberOf(agent, 'name').value) ?? id) : id;
}

/** Follows one call of an agent's `stream`, which `invoke` makes too. */
export function agentFlow(copy: PatchedCopy, agent: AgentLike, args: readonly unknown[]): GeneratorFlow {
  const scope: Scope = { frame: undefined, node: undefined, tool: undefined };
  let tool: ToolStep | undefined;
  return {
    enter() {
      tool = currentScope()?.tool;
      const begun = copy.active
        ? guarded('the start of an agent', () => enterAgent(copy, agent, args), undefined)
        : undefined;
      if (begun === undefined) return undefined;
      if ('refused' in begun) throw begun.refused;
      scope.frame = begun;
      const { context } = begun.run;
      return (step) => inScope(scope, () => within(context, step));
    },
    yielded() {
      // Events pass by; what they tell is seen where it happens.
    },
    left(failed, returned) {
      const { frame } = scope;
      scope.frame = undefined;
      if (frame === undefined) return;
      const stop = text(ownData(returned, 'stopReason'));
      const cutOff = stop === 'interrupt' ? 'interrupted' : stop === 'cancelled' ? 'cancelled' : undefined;
      if (failed === undefined && cutOff === undefined && tool !== undefined) delegateReturns(frame, tool, returned);
      leaveAgent(frame, failed === undefined ? cutOff : errorTypeOf(failed.error));
      tool = undefined;
    },
  };
}

function enterAgent(
  copy: PatchedCopy,
  agent: AgentLike,
  [input, options]: readonly unknown[],
): AgentFrame | { readonly refused: HandoffContractError } | undefined {
  if (types.isProxy(agent)) return undefined;
  const scope = currentScope();
  const node = scope?.node?.frame === undefined ? scope?.node : undefined;
  // An agent under another id than its node's is another agent, whatever the node is called.
  const name = node !== undefined && ownData(node.node, '_agent') === agent ? node.nodeId : nameOf(agent);
  if (name === undefined) return undefined;
  // Options that only code of the application's could give: what is in them is not known, and that is not empty.
  const shared = types.isProxy(options) ? UNREADABLE : ownData(options, 'invocationState');
  const handoff = node === undefined ? delegationInto(copy.wiring, scope, agent, name) : node.handoff;
  if (handoff !== undefined && handoff.followed.outcome === undefined) {
    const refused = concludeHandoff(handoff, shared, node === undefined ? textsOf(input) : handoff.sent);
    if (refused !== undefined) return { refused };
    dispatched(handoff);
  }
  const frame = createFrame(copy, { agent, name, handoff, input, shared, scope });
  if (node !== undefined) node.frame = frame;
  return frame;
}

interface NewFrame {
  readonly agent: AgentLike;
  readonly name: string;
  readonly handoff: StrandsHandoff | undefined;
  readonly input: unknown;
  readonly shared: unknown;
  readonly scope: Scope | undefined;
}

function createFrame(copy: PatchedCopy, { agent, name, handoff, input, shared, scope }: NewFrame): AgentFrame {
  const run = startRun({
    wiring: copy.wiring,
    agent: name,
    context: activeContext(),
    startedBy: handoff === undefined ? [] : [handoff.followed],
    task: handoff === undefined ? (scope?.node?.task ?? scope?.frame?.run.record.task) : handoff.followed.onward,
  });
  const given = handoff?.followed.state.mode === 'transfer' ? handoff.sent : textsOf(input);
  const frame: AgentFrame = {
    run,
    agent,
    name,
    handoff,
    given,
    shared,
    ownState: undefined,
    messages: [],
    returns: [],
  };
  openFrames.set(run.now, new WeakRef(frame));
  unread.register(frame, run.now, frame);
  return frame;
}

function leaveAgent(frame: AgentFrame, errorType: string | undefined): void {
  if (frame.run.ended) return;
  openFrames.delete(frame.run.now);
  unread.unregister(frame);
  returnsUnseen(frame);
  frame.ownState = guarded('the state of an agent', () => ownState(frame.agent), undefined);
  endRun(frame.run, { errorType });
}
