// The parts of the SDK's objects that are read here, as they are from 0.3 to 0.20. Nothing is imported from the package:
// several copies of several versions may be loaded, and each is taken as it is.

import type { AnyFunction } from '../../hooks/any-function.js';

export interface AgentLike {
  readonly name?: unknown;
}

export interface RunContextLike {
  readonly context?: unknown;
}

export interface ToolCallLike {
  readonly callId?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
}

export interface HandoffLike {
  agent?: unknown;
  agentName?: unknown;
  toolName?: unknown;
  onInvokeHandoff: AnyFunction;
  inputFilter?: unknown;
  /** From 0.16. */
  clone?: (overrides: { onInvokeHandoff: AnyFunction }) => HandoffLike;
}

/** A handoff call of one model response. The SDK runs the first of them and drops the others. */
export interface HandoffCallLike {
  readonly toolCall?: ToolCallLike;
  readonly handoff?: HandoffLike;
}

export interface RunStateLike {
  readonly _lastProcessedResponse?: { readonly handoffs?: readonly HandoffCallLike[] };
  readonly _lastTurnResponse?: unknown;
  readonly _currentAgent?: AgentLike;
  readonly _currentStep?: { readonly type?: unknown };
  readonly _conversationId?: unknown;
  readonly _previousResponseId?: unknown;
  readonly _originalInput?: unknown;
  readonly _trace?: unknown;
  readonly _generatedItems?: unknown;
}

export interface RunOptionsLike {
  readonly stream?: unknown;
  readonly conversationId?: unknown;
  readonly previousResponseId?: unknown;
  readonly callModelInputFilter?: unknown;
}

export interface RunnerLike {
  readonly config?: {
    readonly handoffInputFilter?: unknown;
    readonly callModelInputFilter?: unknown;
    readonly modelProvider?: unknown;
    readonly model?: unknown;
    readonly groupId?: unknown;
  };
}

export interface RunResultLike {
  readonly state?: object;
  /** On streamed results only. */
  readonly completed?: Promise<void>;
  readonly cancelled?: boolean;
}

interface Constructor {
  readonly prototype: object;
}

/** The exports of one loaded copy of `@openai/agents-core`. */
export interface AgentsModule {
  readonly Runner: Constructor;
  readonly Agent: Constructor;
  readonly Handoff?: Constructor;
  readonly RunState?: Constructor;
  readonly Span?: Constructor;
  readonly NoopSpan?: Constructor;
  /** The SDK's own trace around the call, if the application began one. */
  readonly getCurrentTrace?: () => unknown;
}
