// The shapes of `@modelcontextprotocol/sdk` 1.x that are read here. Nothing is imported from it.

/** What its modules `client/index.js`, `server/index.js` and `server/mcp.js` export, as far as it is patched. */
export interface McpModule {
  readonly Client?: { readonly prototype: object };
  readonly Server?: { readonly prototype: object };
  readonly McpServer?: { readonly prototype: object };
}
