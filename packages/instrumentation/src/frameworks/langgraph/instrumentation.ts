import { FrameworkInstrumentation, type HookedModule } from '../../hooks/framework-instrumentation.js';
import { patchGraphs, patchTools } from './patch.js';
import type { LangGraphInstrumentationConfig } from './types.js';

const GRAPHS = ['>=1.0.0 <2'];

const MODULES: readonly HookedModule[] = [
  { name: '@langchain/langgraph', supported: GRAPHS, patch: patchGraphs },
  {
    name: '@langchain/langgraph',
    files: ['dist/pregel/index.js', 'dist/pregel/index.cjs', 'dist/web.js', 'dist/web.cjs'],
    supported: GRAPHS,
    patch: patchGraphs,
  },
  {
    name: '@langchain/core',
    files: ['dist/tools/index.js', 'dist/tools/index.cjs'],
    supported: ['>=1.0.0 <2'],
    patch: patchTools,
  },
];

/**
 * Follows the handoffs of LangGraph (`@langchain/langgraph` 1.x) between the agents of a graph: swarms, supervisors, agents
 * of LangChain's `createAgent`, and agent nodes of an application's own `StateGraph`. It makes the `invoke_agent` and
 * `execute_tool` spans that the framework does not make (wire contract, section 2).
 *
 * Prototypes of the exact copy that is loaded are patched. No callback handler is added, nothing of the application's is
 * replaced or called, and what passes through is not changed; only where a contract enforces a side does a node reject,
 * with a `HandoffContractError`.
 */
export class LangGraphInstrumentation extends FrameworkInstrumentation<LangGraphInstrumentationConfig> {
  constructor(config: LangGraphInstrumentationConfig = {}) {
    super(config);
  }

  protected modules(): readonly HookedModule[] {
    return MODULES;
  }
}
