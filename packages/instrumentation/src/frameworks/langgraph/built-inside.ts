import type { AnyFunction } from '../../hooks/any-function.js';
import { guarded } from '../../runtime/report.js';
import { currentScope } from './graph-scope.js';
import type { PatchedCopy } from './patch.js';

const builtByNodes = new WeakSet<object>();

/**
 * `StateGraph.prototype.compile`: remembers graphs that a node or a tool builds as it works. The prompt of such an agent may
 * hold whatever the node could read.
 */
export function wrapCompile(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function compile(this: unknown, ...args) {
      const compiled = Reflect.apply(original, this, args);
      if (copy.active)
        guarded(
          'a graph that is built',
          () => {
            const scope = currentScope();
            const inside = scope?.node !== undefined || scope?.tool !== undefined;
            if (inside && typeof compiled === 'object' && compiled !== null) builtByNodes.add(compiled);
          },
          undefined,
        );
      return compiled;
    };
}

/** Whether a graph was built by the work of a node. */
export function builtInside(graph: object): boolean {
  return builtByNodes.has(graph);
}
