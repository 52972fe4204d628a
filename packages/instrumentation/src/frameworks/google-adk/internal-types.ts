// The parts of the framework's objects that are read here, as they are from 1.0 to 2.0. Nothing is imported from the
// package: several copies of several versions may be loaded, and each is taken as it is.

export interface SessionLike {
  readonly id?: unknown;
  readonly state?: unknown;
  readonly events?: unknown;
}

export interface InvocationContextLike {
  readonly invocationId?: unknown;
  readonly session?: SessionLike;
  readonly abortSignal?: unknown;
}

export interface AgentLike {
  readonly name?: unknown;
  readonly subAgents?: unknown;
  readonly includeContents?: unknown;
}

/** What a tool, and the callbacks around it, are given to work with. */
export interface ToolContextLike {
  readonly functionCallId?: unknown;
  readonly actions?: { readonly transferToAgent?: unknown };
  readonly invocationContext?: InvocationContextLike;
}

export interface ToolLike {
  readonly name?: unknown;
  /** Of an `AgentTool`. */
  readonly agent?: AgentLike;
}

/** What the plugin manager is told before a tool runs, after it, and when it throws. */
export interface ToolStep {
  readonly tool: ToolLike;
  readonly toolArgs: unknown;
  readonly toolContext: ToolContextLike;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What the model is about to be given. */
export interface ModelRequestLike {
  readonly contents?: unknown;
  readonly config?: unknown;
}

interface Constructor {
  readonly prototype: object;
}

/** The exports of one loaded copy of `@google/adk`. */
export interface AdkModule {
  readonly BaseAgent?: Constructor;
  readonly LlmAgent?: Constructor;
  readonly PluginManager?: Constructor;
  readonly RemoteA2AAgent?: Constructor;
}
