import { trace } from '@opentelemetry/api';
import type { AnyFunction } from '../../hooks/any-function.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import { refuseHandoff } from '../../hooks/handoff.js';
import { ownData, text } from '../../hooks/own-data.js';
import { within } from '../../hooks/scope.js';
import { endToolCall, startToolCall } from '../../hooks/tool-call.js';
import { guarded } from '../../runtime/report.js';
import { callStarts } from './delegate.js';
import { type Delegation, forgetCall } from './delegation.js';
import { runReads } from './destination.js';
import { follow } from '../../hooks/follow-call.js';
import type { ConvertedTool } from './internal-types.js';
import { delegationFails, delegationReturns } from './delegation-end.js';
import { returns } from './return-leg.js';
import { keepResult, type MastraRun } from './run.js';
import { currentScope, inScope } from './run-scope.js';

const NAME_OF_AGENT_TOOL = 'agent-';

/** Follows the delegation tools that Mastra has made for a run, each in place: they are made anew for every run. */
export function followAgentTools(run: MastraRun, tools: unknown, delegationOptions: unknown): void {
  const hooked = ['onDelegationStart', 'messageFilter'].some((hook) => ownData(delegationOptions, hook) !== undefined);
  for (const [name, tool] of toolsOf(tools)) {
    if (!name.startsWith(NAME_OF_AGENT_TOOL)) continue;
    run.agentTools.add(name);
    const key = name.slice(NAME_OF_AGENT_TOOL.length);
    replaceExecute(tool, (execute) => callAgentTool(run, key, hooked, execute));
  }
}

/** Follows all other tools of a run: each call is an `execute_tool` span, and an agent that it calls is handed to. */
export function followTools(run: MastraRun, tools: unknown): void {
  for (const [name, tool] of toolsOf(tools)) {
    if (!run.agentTools.has(name)) replaceExecute(tool, (execute) => callTool(run, name, execute));
  }
}

function toolsOf(tools: unknown): [string, ConvertedTool][] {
  if (typeof tools !== 'object' || tools === null) return [];
  return Object.keys(tools).flatMap((name) => {
    const tool = ownData(tools, name);
    return typeof tool === 'object' && tool !== null ? [[name, tool as ConvertedTool] as [string, ConvertedTool]] : [];
  });
}

/** Puts a wrapper in the place of a tool's `execute`, where that is plain data that can be replaced. */
function replaceExecute(tool: ConvertedTool, wrap: (execute: AnyFunction) => AnyFunction): void {
  const member = Object.getOwnPropertyDescriptor(tool, 'execute');
  if (typeof member?.value !== 'function' || member.writable !== true) return;
  const execute = member.value as AnyFunction;
  const wrapper = wrap(execute);
  Object.defineProperty(wrapper, 'name', { value: execute.name, configurable: true });
  Object.defineProperty(wrapper, 'length', { value: execute.length, configurable: true });
  Object.defineProperty(tool, 'execute', { ...member, value: wrapper });
}

function callAgentTool(made: MastraRun, key: string, hooked: boolean, execute: AnyFunction): AnyFunction {
  return function agentTool(this: unknown, ...args: unknown[]): unknown {
    const run = runAtWork(made);
    if (run === undefined) return Reflect.apply(execute, this, args);
    // The answer that a run is resumed with is for the agent behind the tool that had asked.
    if (ownData(args[1], 'resumeData') !== undefined) run.answer = undefined;
    const rejected = runReads(run, undefined);
    const call = guarded(
      'a delegation',
      () => callStarts(run, { to: { key, agent: agentOf(run, key) }, args: args[0], options: args[1], hooked }),
      undefined,
    );
    const refused = rejected ?? (call?.handoff === undefined ? undefined : refuseHandoff(call.handoff, 'source'));
    if (refused !== undefined) return Promise.reject(refused);
    if (call === undefined) return Reflect.apply(execute, this, args);
    const context =
      call.handoff === undefined ? run.followed.context : trace.setSpan(run.followed.context, call.handoff.span);
    return follow(() => inScope({ run, call }, () => within(context, () => Reflect.apply(execute, this, args))), {
      done: (result) => {
        delegationReturns(call, result);
        forgetCall(call);
      },
      failed: (error) => {
        delegationFails(call, error);
        forgetCall(call);
      },
    });
  };
}

function callTool(made: MastraRun, name: string, execute: AnyFunction): AnyFunction {
  return function tool(this: unknown, ...args: unknown[]): unknown {
    const run = runAtWork(made);
    if (run === undefined) return Reflect.apply(execute, this, args);
    const rejected = runReads(run, undefined, text(ownData(args[1], 'toolCallId')));
    if (rejected !== undefined) return Promise.reject(rejected);
    const call = guarded('a tool call', () => toolStarts(run, name, args), undefined);
    if (call?.tool === undefined) return Reflect.apply(execute, this, args);
    const { tool: span } = call;
    return follow(() => inScope({ run, call }, () => within(span.context, () => Reflect.apply(execute, this, args))), {
      done: (result) => {
        keepResult(run, result);
        for (const delegation of call.spawned)
          if (delegation.taken !== undefined) returns(delegation, delegation.taken, result);
        forgetCall(call);
        endToolCall(span, ownData(result, 'error') === true ? 'tool_error' : undefined);
      },
      failed: (error) => {
        endToolCall(span, errorTypeOf(error));
        forgetCall(call);
      },
    });
  };
}

/**
 * The run that a tool is called in: the one that it was made for, or the one that resumes it, for which Mastra calls the
 * tools of before. `undefined` where neither is at work.
 */
function runAtWork(made: MastraRun): MastraRun | undefined {
  if (!made.followed.ended) return made;
  const run = currentScope()?.run;
  if (run === undefined || run.followed.ended || run.agent !== made.agent) return undefined;
  for (const [callId, record] of made.calls) if (!run.calls.has(callId)) run.calls.set(callId, record);
  return run;
}

function toolStarts(run: MastraRun, name: string, [args, options]: unknown[]): Delegation {
  const tool = startToolCall(run.followed, { name, callId: text(ownData(options, 'toolCallId')), args });
  return callStarts(run, { to: undefined, args, options, tool, hooked: false });
}

function agentOf(run: MastraRun, key: string): object | undefined {
  const agent = ownData(run.agents, key);
  return typeof agent === 'object' && agent !== null ? agent : undefined;
}
