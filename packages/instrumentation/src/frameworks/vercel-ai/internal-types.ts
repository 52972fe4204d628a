/** The members of package `ai` that are hooked. Which ones there are depends on the version. */
export interface AiModule {
  /** Version 5; in 6 and 7 another name of `ToolLoopAgent`. */
  readonly Experimental_Agent?: AgentClass;
  /** Versions 6 and 7. */
  readonly ToolLoopAgent?: AgentClass;
  readonly generateText?: unknown;
  readonly streamText?: unknown;
}

export interface AgentClass {
  readonly prototype: object;
}

/** An object of the SDK's by which a streamed call tells its end. */
export interface DelayedPromiseLike {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}
