import type { AgentRun } from './agent-run.js';
import { rawItems } from './call-items.js';
import type { Dispatch } from './dispatch.js';
import type { MadeCall } from './handoff-call.js';
import { createMemberNames, type MemberNames } from '../../capture/member-names.js';
import { ownData, text } from '../../hooks/own-data.js';

// What a model was given to read besides the carriers: the results of tools and the arguments of earlier calls. In a
// resumed run, in a session and in history that the application passed, they stand in the input items only.

const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** Answers whether a key path's names were seen there. */
export interface SeenByModel {
  mention(names: readonly string[]): boolean;
}

/**
 * Results of tools as the run has seen them and as they stand in its items, and the calls but the one that is judged.
 * Items are read when the first question comes, and for each stage anew: they change on the way.
 */
export function seenByModel(run: AgentRun, { made, call, args }: Dispatch): SeenByModel {
  const lazy: { names?: MemberNames } = {};
  return {
    mention(path) {
      if (run.memory.toolResults.mention(path)) return true;
      lazy.names ??= namesInItems(run, [made, { ...call, args }]);
      return lazy.names.mention(path);
    },
  };
}

function namesInItems(run: AgentRun, calls: readonly MadeCall[]): MemberNames {
  const names = createMemberNames();
  const seen = new Set<unknown>();
  // An agent that is run as a tool with parameters of its own finds them beside the context.
  names.read(ownData(ownData(run.state, '_context'), 'toolInput'));
  for (const list of [run.input, run.state?._originalInput, run.state?._generatedItems, run.turn?.turnInput])
    for (const item of rawItems(list)) {
      if (seen.has(item)) continue;
      seen.add(item);
      readItem(item, calls, names);
    }
  // Results of the provider's own tools come in the response that also makes the call.
  for (const item of rawItems(ownData(run.state?._lastTurnResponse, 'output')))
    if (!seen.has(item) && ownData(item, 'type') !== 'function_call') readItem(item, calls, names);
  return names;
}

function readItem(item: unknown, calls: readonly MadeCall[], names: MemberNames): void {
  const type = ownData(item, 'type');
  if (type === 'function_call') {
    if (!calls.some((call) => isCall(item, call))) names.read(ownData(item, 'arguments'));
  } else if (type === 'hosted_tool_call') {
    names.read(ownData(item, 'output'));
    names.read(ownData(item, 'providerData'));
  } else {
    // Messages have no output.
    readOutput(ownData(item, 'output'), names);
  }
}

/** A part of a result says with members of its own only how its text is written down. */
function readOutput(output: unknown, names: MemberNames): void {
  for (const part of Array.isArray(output) ? rawItems(output) : [output])
    names.read(TEXT_PARTS.has(ownData(part, 'type')) ? ownData(part, 'text') : part);
}

function isCall(item: unknown, { callId, toolName, args }: MadeCall): boolean {
  // Before 0.6 the id of a call is not known until a filter shows it.
  const sameId = callId === undefined || ownData(item, 'callId') === callId;
  return sameId && ownData(item, 'name') === toolName && text(ownData(item, 'arguments')) === args;
}
