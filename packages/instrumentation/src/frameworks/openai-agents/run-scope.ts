import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentRun, ToolCallSpan } from './agent-run.js';

/** Whose asynchronous call chain this is: the innermost run, and the tool call in it. */
export interface RunScope {
  readonly run: AgentRun;
  readonly tool: ToolCallSpan | undefined;
}

const SCOPES = Symbol.for('seamtrace.instrumentation.openai-agents.v1.scopes');
type Host = { [SCOPES]?: AsyncLocalStorage<RunScope> };

// One storage for the process: an ESM and a CommonJS copy of this package may each have patched one copy of the SDK.
const host = globalThis as Host;
if (host[SCOPES] === undefined) {
  Object.defineProperty(host, SCOPES, { value: new AsyncLocalStorage<RunScope>(), configurable: true });
}
const scopes = host[SCOPES] as AsyncLocalStorage<RunScope>;

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
