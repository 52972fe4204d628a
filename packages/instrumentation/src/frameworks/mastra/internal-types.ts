// The shapes that are read of Mastra's. Nothing is imported from it: which copy is loaded is the application's business.

/** A loaded copy of `@mastra/core`, of its main module or of `@mastra/core/agent`. */
export interface AgentModule {
  readonly Agent?: { readonly prototype: object };
}

/** An agent, or what an application passes off as one. Members are read by `ownData` and `memberOf` only. */
export type AgentLike = object;

/** A tool as Mastra hands it to its loop: made anew for each run. */
export interface ConvertedTool {
  execute?: unknown;
}
