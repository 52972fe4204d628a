import type { HandoffContractError } from '@seamtrace/contracts';
import { endToolCall, startToolCall } from '../../hooks/tool-call.js';
import { memberOf, ownData, text } from '../../hooks/own-data.js';
import type { AgentFrame, OpenCall } from './agent-frame.js';
import { without } from './carriers.js';
import { announceDelegation, delegateCallEnds } from './delegation.js';
import { askHandoff, dropHandoff, refuseSource } from './handoff-flow.js';
import type { ToolStep } from './internal-types.js';
import { personAnswers } from './people.js';

const TRANSFER_TOOL = 'transfer_to_agent';
/** What the transfer tool is told besides, in JavaScript and, from models that know it, in Python. */
const TARGET_ARGUMENTS = ['agentName', 'agent_name'];

/** A tool is about to run. Returns the error with which an enforcing producer refuses what it asks for. */
export function toolStarts(frame: AgentFrame, step: ToolStep): HandoffContractError | undefined {
  closeCall(frame);
  personAnswers(frame);
  const tool = text(ownData(step.tool, 'name')) ?? 'tool';
  const id = text(ownData(step.toolContext, 'functionCallId'));
  if (tool === TRANSFER_TOOL) return transferStarts(frame, step, id);
  const announces = announceDelegation(frame, step.tool, { id, tool, args: step.toolArgs });
  const span = announces ? undefined : startToolCall(frame.run, { name: tool, callId: id, args: step.toolArgs });
  const call: OpenCall = {
    id,
    tool,
    args: step.toolArgs,
    span,
    announced: announces?.handoff,
    followed: announces?.followed ?? true,
    returning: undefined,
    returns: undefined,
    errorType: undefined,
  };
  frame.call = call;
  return call.announced === undefined ? undefined : refuseSource(call.announced, frame);
}

function transferStarts(frame: AgentFrame, step: ToolStep, id: string | undefined): HandoffContractError | undefined {
  const target = TARGET_ARGUMENTS.map((name) => text(ownData(step.toolArgs, name))).find((name) => name !== undefined);
  // An agent that asks for itself goes on: there is no boundary.
  if (target === undefined || target === frame.name) return undefined;
  const call = { id, tool: TRANSFER_TOOL, args: without(step.toolArgs, TARGET_ARGUMENTS) };
  const handoff = askHandoff(frame, { target, call, mode: 'transfer' });
  frame.transfers.push(handoff);
  return refuseSource(handoff, frame);
}

/** A tool ran, failed, or was answered for. */
export function toolEnds(frame: AgentFrame, step: ToolStep): void {
  const id = text(ownData(step.toolContext, 'functionCallId'));
  const tool = text(ownData(step.tool, 'name')) ?? 'tool';
  const granted = text(ownData(memberOf(step.toolContext, 'eventActions').value, 'transferToAgent'));
  if (tool === TRANSFER_TOOL) {
    settleTransfer(frame, id, granted);
    return;
  }
  const { call } = frame;
  if (call !== undefined) {
    delegateCallEnds(frame, call, step.result);
    closeCall(frame);
  }
  // Any tool may hand over, by what it writes into its actions.
  if (granted !== undefined && granted !== frame.name) {
    const handoff = askHandoff(frame, { target: granted, call: { id, tool, args: step.toolArgs }, mode: 'transfer' });
    handoff.granted = granted;
    frame.transfers.push(handoff);
  }
}

function settleTransfer(frame: AgentFrame, id: string | undefined, granted: string | undefined): void {
  const handoff = frame.transfers.find(({ call, granted: before }) => call?.id === id && before === undefined);
  if (handoff === undefined) return;
  handoff.granted = granted;
  if (granted !== undefined) return;
  // A plugin or a callback answered in the tool's place, or the tool failed.
  frame.transfers.splice(frame.transfers.indexOf(handoff), 1);
  dropHandoff(handoff, frame);
}

/** Ends the call at work. One that nobody ended was cut off by an error of a callback. */
export function closeCall(frame: AgentFrame, errorType?: string): void {
  const { call } = frame;
  if (call === undefined) return;
  frame.call = undefined;
  const failed = call.errorType ?? errorType;
  for (const pending of [call.announced, call.returning])
    if (pending !== undefined) dropHandoff(pending, frame, failed);
  if (call.span !== undefined) endToolCall(call.span, failed);
}
