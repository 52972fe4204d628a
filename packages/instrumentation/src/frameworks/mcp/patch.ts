import type { AnyFunction } from '../../hooks/any-function.js';
import { ownData } from '../../hooks/own-data.js';
import type { Wiring } from '../../hooks/wiring.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { guarded } from '../../runtime/report.js';
import { prepareCall, resultComes } from './handoff-flow.js';
import type { McpModule } from './internal-types.js';
import { followHandler } from './run-flow.js';
import type { McpConfig } from './types.js';

/** One loaded copy of the SDK's client or server, patched. */
export interface PatchedCopy {
  readonly wiring: Wiring;
  readonly config: () => McpConfig;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
  readonly unwraps: Unwrap[];
}

const PATCHED = Symbol.for('seamtrace.instrumentation.mcp.v1.patched');

/**
 * Patches the prototypes of one copy, once, whoever asks and from whichever build of this package. Returns what takes the
 * patches away again, or `undefined` where the copy is patched already or is none.
 */
export function patchCopy(module: McpModule, wiring: Wiring, config: () => McpConfig): (() => void) | undefined {
  const copy: PatchedCopy = { wiring, config, active: true, unwraps: [] };
  patchPrototype(copy, module.Client?.prototype, 'request', wrapRequest(copy));
  patchPrototype(copy, module.Server?.prototype, 'setRequestHandler', wrapSetRequestHandler(copy));
  // Where only `server/mcp.js` is imported, `Server` is met as what an `McpServer` holds.
  patchPrototype(copy, module.McpServer?.prototype, 'setToolRequestHandlers', wrapSetToolRequestHandlers(copy));
  if (copy.unwraps.length === 0) return undefined;
  return () => {
    copy.active = false;
    for (const unwrap of copy.unwraps) unwrap();
  };
}

function patchPrototype(
  copy: PatchedCopy,
  prototype: object | undefined,
  name: string,
  wrap: (original: AnyFunction) => AnyFunction,
): void {
  const marked = prototype as Record<symbol, unknown> | undefined;
  if (marked === undefined || Object.hasOwn(marked, PATCHED)) return;
  const unwrap = wrapMethod(marked, name, wrap);
  if (unwrap === undefined) return;
  Object.defineProperty(marked, PATCHED, { value: true, configurable: true });
  copy.unwraps.push(unwrap, () => delete marked[PATCHED]);
}

function wrapRequest(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const { wiring, config } = copy;
      const prepared = copy.active
        ? guarded('a call of a tool', () => prepareCall(wiring, config(), this as object, args[0], args[2]), undefined)
        : undefined;
      if (prepared === undefined) return original.apply(this, args);
      if (prepared.refusal !== undefined) return Promise.reject(prepared.refusal);
      const result = original.apply(this, [prepared.request ?? args[0], ...args.slice(1)]);
      if (!(result instanceof Promise)) return result;
      return Promise.prototype.then.call(result, (value: unknown) => {
        guarded('the result of a tool', () => resultComes(wiring, prepared, value), undefined);
        return value;
      });
    };
}

function wrapSetRequestHandler(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const [schema, handler, ...rest] = args;
      if (!copy.active || typeof handler !== 'function') return original.apply(this, args);
      return original.call(this, schema, followHandler(copy, this as object, handler as AnyFunction), ...rest);
    };
}

function wrapSetToolRequestHandlers(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      if (copy.active) guarded('following a server', () => patchServerOf(copy, this), undefined);
      return original.apply(this, args);
    };
}

function patchServerOf(copy: PatchedCopy, mcpServer: unknown): void {
  const server = ownData(mcpServer, 'server');
  if (typeof server !== 'object' || server === null) return;
  const prototype = Object.getPrototypeOf(server) as object | null;
  if (prototype !== null && prototype !== Object.prototype) {
    patchPrototype(copy, prototype, 'setRequestHandler', wrapSetRequestHandler(copy));
  }
}
