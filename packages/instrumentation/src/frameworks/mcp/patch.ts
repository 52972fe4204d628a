import type { AnyFunction } from '../../hooks/any-function.js';
import { ownData } from '../../hooks/own-data.js';
import type { Wiring } from '../../hooks/wiring.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { guarded } from '../../runtime/report.js';
import { prepareCall, resultComes } from './handoff-flow.js';
import type { McpModule } from './internal-types.js';
import { followHandler, followTool } from './run-flow.js';
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
  const mcpServer = module.McpServer?.prototype;
  if (patchPrototype(copy, mcpServer, 'setToolRequestHandlers', wrapSetToolRequestHandlers(copy))) {
    for (const name of ['tool', 'registerTool']) {
      const unwrap = wrapMethod(mcpServer, name, wrapRegister(copy));
      if (unwrap !== undefined) copy.unwraps.push(unwrap);
    }
  }
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
): boolean {
  const marked = prototype as Record<symbol, unknown> | undefined;
  if (marked === undefined || Object.hasOwn(marked, PATCHED)) return false;
  const unwrap = wrapMethod(marked, name, wrap);
  if (unwrap === undefined) return false;
  Object.defineProperty(marked, PATCHED, { value: true, configurable: true });
  copy.unwraps.push(unwrap, () => delete marked[PATCHED]);
  return true;
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
      const followed = followHandler(copy, this as object, handler as AnyFunction, registering.has(this as object));
      return original.call(this, schema, followed, ...rest);
    };
}

function wrapSetToolRequestHandlers(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const server = ownData(this, 'server');
      if (!copy.active || typeof server !== 'object' || server === null) return original.apply(this, args);
      guarded('following a server', () => patchServer(copy, server), undefined);
      registering.add(server);
      try {
        return original.apply(this, args);
      } finally {
        registering.delete(server);
      }
    };
}

/** Servers of which an `McpServer` is just setting the handler of tools: it puts arguments through a schema. */
const registering = new WeakSet<object>();

/** `tool` and `registerTool` take the callback last; it is given what the tool's schema lets through. */
function wrapRegister(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const callback = args.at(-1);
      if (!copy.active || typeof callback !== 'function') return original.apply(this, args);
      return original.apply(this, [...args.slice(0, -1), followTool(copy, callback as AnyFunction)]);
    };
}

function patchServer(copy: PatchedCopy, server: object): void {
  const prototype = Object.getPrototypeOf(server) as object | null;
  if (prototype !== null && prototype !== Object.prototype) {
    patchPrototype(copy, prototype, 'setRequestHandler', wrapSetRequestHandler(copy));
  }
}
