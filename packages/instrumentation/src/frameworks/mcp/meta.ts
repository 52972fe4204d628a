import { type Context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { HandoffState } from '../../handoff/state.js';
import { ownData } from '../../hooks/own-data.js';
import { defaultGetter } from '../../propagation/carrier.js';
import { encodeHandoff } from '../../propagation/encode.js';
import { injectIdentity } from '../../propagation/inject.js';
import { MCP_HANDOFF_KEY } from '../../propagation/keys.js';
import { extractTrace } from '../../propagation/trace-context.js';

/**
 * A request with the handoff in its `_meta`: the object under our key, and trace context and baggage under the unprefixed
 * names that the protocol keeps for them. New objects; what the application put there stays.
 */
export function withHandoffMeta(request: unknown, state: HandoffState, context: Context): object | undefined {
  const carried = encodeHandoff(state);
  const params = ownData(request, 'params');
  if (carried === undefined || typeof request !== 'object' || typeof params !== 'object' || params === null) {
    return undefined;
  }
  const given = ownData(params, '_meta');
  const meta: Record<string, unknown> = typeof given === 'object' && given !== null ? { ...given } : {};
  const trace: Record<string, string> = typeof meta['baggage'] === 'string' ? { baggage: meta['baggage'] } : {};
  injectIdentity(state, trace, context);
  const { baggage, ...rest } = trace;
  const named = baggage === undefined ? meta : { ...meta, baggage };
  return { ...request, params: { ...params, _meta: { ...rest, ...named, [MCP_HANDOFF_KEY]: carried } } };
}

/** The trace context and baggage of a request's `_meta`; `undefined` where it has none. */
export function remoteContext(meta: unknown): Context | undefined {
  const traceparent = ownData(meta, 'traceparent');
  if (typeof traceparent !== 'string') return undefined;
  return extractTrace(ROOT_CONTEXT, meta, defaultGetter);
}
