import { sharedStorage } from '../../hooks/shared-storage.js';
import type { AgentRun, ToolCallSpan } from './agent-run.js';

/** Whose asynchronous call chain this is: the innermost run, and the tool call in it. */
export interface RunScope {
  readonly run: AgentRun;
  readonly tool: ToolCallSpan | undefined;
}

const scopes = sharedStorage<RunScope>('openai-agents.v1.scopes');

/** The scope of the current call chain; `undefined` outside of every run. */
export function currentScope(): RunScope | undefined {
  return scopes.getStore();
}

/** Calls `work` with everything that it starts belonging to `run`. */
export function inRun<T>(run: AgentRun, work: () => T): T {
  return scopes.run({ run, tool: undefined }, work);
}

/**
 * Makes the rest of the current call chain the tool call's. The SDK emits `agent_tool_start` inside the asynchronous
 * function that then invokes the tool, so parallel calls stay apart. Where the chain outlives the call, the ended call
 * is passed over (see `LiveContext`).
 */
export function enterTool(run: AgentRun, tool: ToolCallSpan): void {
  scopes.enterWith({ run, tool });
}
