import type { AnyFunction } from '../../hooks/any-function.js';
import { ownData, text } from '../../hooks/own-data.js';
import { MCP_HANDOFF_KEY } from '../../propagation/keys.js';
import { carriedIn } from '../../propagation/metadata.js';
import { type IncomingCall, type Outcome, serveCall } from '../../remote/incoming.js';
import { guarded } from '../../runtime/report.js';
import { agentOf } from './agent-tools.js';
import { callContents, resultContents } from './carriers.js';
import { remoteContext } from './meta.js';
import type { PatchedCopy } from './patch.js';

/** The handler of `tools/call`, run inside an accepted handoff where the request brings one. Others pass through. */
export function followHandler(copy: PatchedCopy, server: object, handler: AnyFunction): AnyFunction {
  return function (this: unknown, ...args: unknown[]): unknown {
    const work = (): unknown => handler.apply(this, args);
    if (!copy.active) return work();
    const call = guarded('a call of a tool', () => incomingCall(copy, server, args), undefined);
    return call === undefined ? work() : serveCall(call, work);
  };
}

function incomingCall(
  { wiring, config }: PatchedCopy,
  server: object,
  [request, extra]: readonly unknown[],
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
    conversationId: undefined,
    outcome,
  };
}

function outcome(result: unknown): Outcome {
  if (ownData(result, 'isError') === true) return { answer: undefined, errorType: '_OTHER' };
  return { answer: ownData(result, 'task') === undefined ? resultContents(result) : undefined };
}
