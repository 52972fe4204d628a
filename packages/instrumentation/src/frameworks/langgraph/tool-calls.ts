import type { AnyFunction } from '../../hooks/any-function.js';
import { ownData, text } from '../../hooks/own-data.js';
import { within } from '../../hooks/scope.js';
import { endToolCall, startToolCall } from '../../hooks/tool-call.js';
import { guarded } from '../../runtime/report.js';
import { answer } from './delegation.js';
import { currentScope, inScope, leaveScope } from './graph-scope.js';
import { becomeAgent, errorType, failedToAsk } from './node-flow.js';
import type { PatchedCopy } from './patch.js';
import { owningRun, type Scope, type ToolRun } from './runs.js';
import { settled } from './settled.js';
import { readState } from './state.js';
import { commandOf, targetsOf } from './transfers.js';

/** `StructuredTool.prototype.invoke`: a tool at work, with a tool call or with its arguments alone. */
export function wrapToolInvoke(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function invoke(this: unknown, ...args) {
      const call = (): unknown => Reflect.apply(original, this, args);
      const scope = copy.active ? currentScope() : undefined;
      const tool =
        scope === undefined ? undefined : guarded('a tool', () => beginTool(scope, this, args[0]), undefined);
      if (scope === undefined || tool === undefined) return call();
      const inside = { graphRun: scope.graphRun, node: scope.node, tool };
      const running = inScope(inside, () => (tool.call === undefined ? call() : within(tool.call.context, call)));
      settled(running, {
        done: (result) => {
          guarded('the end of a tool', () => toolDone(tool, result), undefined);
          leaveScope(inside);
        },
        failed: (error) => {
          guarded('the end of a tool', () => toolFailed(tool, error), undefined);
          leaveScope(inside);
        },
      });
      return running;
    };
}

function beginTool(scope: Scope, self: unknown, input: unknown): ToolRun | undefined {
  const owner = owningRun(scope);
  const name = text(ownData(self, 'name')) ?? text(ownData(input, 'name'));
  if (name === undefined) return undefined;
  const isCall = ownData(input, 'type') === 'tool_call';
  const args = isCall ? ownData(input, 'args') : input;
  const callId = isCall ? text(ownData(input, 'id')) : undefined;
  return {
    node: scope.node,
    graphRun: scope.graphRun,
    owner,
    call: owner === undefined || owner.ended ? undefined : startToolCall(owner, { name, callId, args }),
    name,
    callId,
    taskId: scope.node?.task.id ?? '',
    args,
    delegations: [],
  };
}

function toolDone(tool: ToolRun, result: unknown): void {
  guarded('a transfer', () => noteTransfer(tool, result), undefined);
  guarded('the answer of a delegate', () => answer(tool, result), undefined);
  if (tool.call !== undefined) endToolCall(tool.call);
}

function toolFailed({ call, graphRun, node }: ToolRun, error: unknown): void {
  // A tool node may give the model this error to read, so that the node itself does not fail.
  if (node !== undefined) guarded('a question to a person', () => failedToAsk(node, error), undefined);
  if (call === undefined) return;
  const paused = ['GraphInterrupt', 'NodeInterrupt', 'ParentCommand'].includes(String(ownData(error, 'name')));
  const aborted = graphRun.loop.config.signal?.aborted === true;
  endToolCall(call, paused ? undefined : errorType(error, aborted));
}

/** A command for the graph around the agent's is a transfer; any other result belongs to the turn in which one may be. */
function noteTransfer({ graphRun, callId, args }: ToolRun, result: unknown): void {
  const agent = graphRun.outer;
  if (agent === undefined) return;
  const command = commandOf(result);
  if (command === undefined) return void agent.results.push(jsonOf(result));
  if (command.graph !== '__parent__') return void agent.results.push(command.update);
  const targets = targetsOf(command);
  if (targets.length === 0) return;
  if (agent.agent === undefined && agent.graphRun.topology.kindOf(agent.task.name) === 'named') becomeAgent(agent);
  const state = readState(graphRun.graph, graphRun.loop);
  agent.requests.push({ callId, args, command, targets, state, outcome: 'asked' });
}

/** The object that a tool's result is, also as the text of a message. */
function jsonOf(result: unknown): unknown {
  const content = ownData(result, 'tool_call_id') === undefined ? result : ownData(result, 'content');
  if (typeof content !== 'string') return content;
  if (!/^\s*\{/.test(content)) return undefined;
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}
