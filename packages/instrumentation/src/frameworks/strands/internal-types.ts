// The parts of the SDK's objects that are read here, as they are from 1.0 to 1.19. Nothing is imported from the package:
// several copies of several versions may be loaded, and each is taken as it is.

export interface AgentLike {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly appState?: unknown;
}

/** A node of a swarm. */
export interface NodeLike {
  readonly id?: unknown;
  readonly _agent?: unknown;
}

/** By what an agent of a swarm hands over: its structured output. */
export interface EnvelopeLike {
  readonly agentId?: unknown;
  readonly message?: unknown;
  readonly context?: unknown;
}

/** What a tool is given to work with. */
export interface ToolContextLike {
  readonly toolUse?: unknown;
  readonly invocationState?: unknown;
}

interface Constructor {
  readonly prototype: object;
}

/** The exports of one loaded copy of `@strands-agents/sdk`. */
export interface StrandsModule {
  readonly Agent?: Constructor;
  readonly Swarm?: Constructor;
  readonly FunctionTool?: Constructor;
  readonly ZodTool?: Constructor;
}
