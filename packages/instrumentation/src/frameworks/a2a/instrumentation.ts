import { FrameworkInstrumentation, type HookedModule } from '../../hooks/framework-instrumentation.js';
import type { A2AModule } from './internal-types.js';
import { endOpenCalls } from '../../remote/incoming.js';
import { patchCopy } from './patch.js';
import type { A2AInstrumentationConfig } from './types.js';

const FILES = ['client', 'server'].flatMap((part) => ['js', 'cjs'].map((kind) => `dist/${part}/index.${kind}`));

/**
 * Follows calls between agents by A2A (`@a2a-js/sdk` 1.x, and 0.3 from 0.3.10): what a client sends is a dispatch to the agent
 * that the card names, what an executor is given is its ingest, and the answer is a leg of its own.
 *
 * The handoff travels in the message's metadata, under the URI of the extension, which is also named where the protocol
 * asks for it (wire contract, section 9). A server that does not know it ignores it; messages without it are served as
 * they are.
 */
export class A2AInstrumentation extends FrameworkInstrumentation<A2AInstrumentationConfig> {
  constructor(config: A2AInstrumentationConfig = {}) {
    super(config);
  }

  protected modules(): readonly HookedModule[] {
    return [
      {
        name: '@a2a-js/sdk',
        files: FILES,
        supported: ['>=0.3.10 <2'],
        patch: (module, wiring) => patchCopy(module as A2AModule, wiring, () => this.getConfig()),
      },
    ];
  }

  override endOpenRuns(): void {
    endOpenCalls('a2a');
  }
}
