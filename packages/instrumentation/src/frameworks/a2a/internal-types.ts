// The shapes of `@a2a-js/sdk` that are read here, of 1.x and of 0.3. Nothing is imported from it, and members are read as
// own data only.

/** What its modules `client` and `server` export, as far as it is patched. */
export interface A2AModule {
  readonly Client?: { readonly prototype: object };
  /** The older client of 0.3, which is no `Client`. */
  readonly A2AClient?: { readonly prototype: object };
  readonly DefaultRequestHandler?: { readonly prototype: object };
  readonly DefaultExecutionEventBus?: { readonly prototype: object };
}

/** What `Client` gives its interceptors before a call. `input.value` and `options` are what it then sends. */
export interface BeforeArgs {
  readonly input: { readonly method: string; value?: unknown };
  readonly agentCard?: unknown;
  options?: object | undefined;
}

/** What it gives them after a call, or after each event of a stream. */
export interface AfterArgs {
  readonly result: { readonly method: string; readonly value?: unknown };
  readonly options?: object | undefined;
}
