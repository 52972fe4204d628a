import type { AnyFunction } from '../../hooks/any-function.js';
import { ownData, text } from '../../hooks/own-data.js';
import { MCP_HANDOFF_KEY } from '../../propagation/keys.js';
import { carriedIn } from '../../propagation/metadata.js';
import { type IncomingCall, type Outcome, serveCall, type Tell } from '../../remote/incoming.js';
import { guarded } from '../../runtime/report.js';
import { agentOf } from './agent-tools.js';
import { callContents, resultContents } from './carriers.js';
import { remoteContext } from './meta.js';
import type { PatchedCopy } from './patch.js';

/** By what is passed to a handler and on to the tool: how to tell what the tool is given. */
const tellers = new WeakMap<object, Tell>();

/**
 * The handler of `tools/call`, run inside an accepted handoff where the request brings one. Others pass through.
 *
 * @param throughSchema It validates the arguments, and a schema may leave some of them out.
 */
export function followHandler(
  copy: PatchedCopy,
  server: object,
  handler: AnyFunction,
  throughSchema: boolean,
): AnyFunction {
  return function (this: unknown, ...args: unknown[]): unknown {
    const call = copy.active
      ? guarded('a call of a tool', () => incomingCall(copy, server, args, throughSchema), undefined)
      : undefined;
    if (call === undefined) return handler.apply(this, args);
    return serveCall(call, (tell) => {
      const extra = args[1];
      if (throughSchema && typeof extra === 'object' && extra !== null) tellers.set(extra, tell);
      return handler.apply(this, args);
    });
  };
}

/** The callback of a tool, which is called with arguments and `extra`, or with `extra` alone where it takes none. */
export function followTool(copy: PatchedCopy, callback: AnyFunction): AnyFunction {
  const wrapper = function (this: unknown, ...args: unknown[]): unknown {
    const extra = args.at(-1);
    const tell = copy.active && typeof extra === 'object' && extra !== null ? tellers.get(extra) : undefined;
    const rejection = tell?.(callContents(args.length > 1 ? args[0] : {}));
    if (rejection !== undefined) throw rejection;
    return callback.apply(this, args);
  };
  Object.defineProperty(wrapper, 'name', { value: callback.name, configurable: true });
  Object.defineProperty(wrapper, 'length', { value: callback.length, configurable: true });
  return wrapper;
}

function incomingCall(
  { wiring, config }: PatchedCopy,
  server: object,
  [request, extra]: readonly unknown[],
  throughSchema: boolean,
): IncomingCall | undefined {
  if (ownData(request, 'method') !== 'tools/call') return undefined;
  const params = ownData(request, 'params');
  const meta = ownData(extra, '_meta') ?? ownData(params, '_meta');
  // Ordinary tools are called without one all the time; that is nothing to count.
  if (ownData(meta, MCP_HANDOFF_KEY) === undefined) return undefined;
  const state = carriedIn(meta, MCP_HANDOFF_KEY);
  if (state === undefined) return undefined;
  const tool = text(ownData(params, 'name'));
  const name = text(ownData(ownData(server, '_serverInfo'), 'name'));
  const declared = tool === undefined ? undefined : agentOf(tool, name, config(), wiring.contracts());
  return {
    wiring,
    prefix: 'mcp',
    state,
    remote: remoteContext(meta),
    // A tool was called by its name, and it runs: where this side declares nothing, it is whom the caller took it for.
    agent: declared ?? state.target?.name,
    contents: callContents(ownData(params, 'arguments')),
    throughSchema,
    conversationId: undefined,
    outcome,
  };
}

function outcome(result: unknown): Outcome {
  if (ownData(result, 'isError') === true) return { answer: undefined, errorType: '_OTHER' };
  return { answer: ownData(result, 'task') === undefined ? resultContents(result) : undefined };
}
