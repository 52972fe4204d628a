import { FrameworkInstrumentation, type HookedModule } from '../../hooks/framework-instrumentation.js';
import type { McpModule } from './internal-types.js';
import { endOpenCalls } from '../../remote/incoming.js';
import { patchCopy } from './patch.js';
import type { McpInstrumentationConfig } from './types.js';

const FILES = ['client/index.js', 'server/index.js', 'server/mcp.js'].flatMap((file) =>
  ['esm', 'cjs'].map((kind) => `dist/${kind}/${file}`),
);

/**
 * Follows calls of tools that are agents by MCP (`@modelcontextprotocol/sdk` 1.x, from 1.12). Which tools are agents is
 * declared, by the contract file or by the option `agents`; a call of any other tool is no handoff, and its request is not
 * touched.
 *
 * The handoff travels in `params._meta` under `dev.seamtrace/handoff`, and trace context under its own names (wire contract,
 * section 9). A server that does not know them ignores them.
 */
export class McpInstrumentation extends FrameworkInstrumentation<McpInstrumentationConfig> {
  constructor(config: McpInstrumentationConfig = {}) {
    super(config);
  }

  protected modules(): readonly HookedModule[] {
    return [
      {
        name: '@modelcontextprotocol/sdk',
        files: FILES,
        supported: ['>=1.12.0 <2'],
        patch: (module, wiring) => patchCopy(module as McpModule, wiring, () => this.getConfig()),
      },
    ];
  }

  override endOpenRuns(): void {
    endOpenCalls('mcp');
  }
}
