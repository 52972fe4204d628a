import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import { trace } from '@opentelemetry/api';
import type { HandoffContractError } from '@seamtrace/contracts';
import { ownData, text } from '../../hooks/own-data.js';
import { activeContext } from '../../hooks/scope.js';
import type { Wiring } from '../../hooks/wiring.js';
import { decodeHandoff } from '../../propagation/decode.js';
import { MCP_HANDOFF_KEY } from '../../propagation/keys.js';
import { takeAnswer } from '../../remote/answer.js';
import { placedCall, sendCall, type SentCall } from '../../remote/outgoing.js';
import { count } from '../../runtime/report.js';
import { agentOf } from './agent-tools.js';
import { callContents, resultContents } from './carriers.js';
import { withHandoffMeta } from './meta.js';
import type { McpConfig } from './types.js';

/** A call of a tool that is an agent, as it is sent. */
export interface PreparedCall {
  /** What is sent instead; `undefined` where it is the application's own. */
  readonly request: object | undefined;
  readonly sent: SentCall;
  readonly refusal: HandoffContractError | undefined;
}

/** A client is about to send a request. `undefined` for all but calls of tools that are agents. */
export function prepareCall(
  wiring: Wiring,
  config: McpConfig,
  client: object,
  request: unknown,
  options: unknown,
): PreparedCall | undefined {
  if (ownData(request, 'method') !== 'tools/call') return undefined;
  const params = ownData(request, 'params');
  const tool = text(ownData(params, 'name'));
  const placed = ownData(ownData(params, '_meta'), MCP_HANDOFF_KEY);
  if (placed !== undefined) return placedByApplication(placed, config);
  const server = text(ownData(ownData(client, '_serverVersion'), 'name'));
  const target = tool === undefined ? undefined : agentOf(tool, server, config, wiring.contracts());
  if (target === undefined) return undefined;
  if (![request, params, ownData(params, '_meta') ?? {}].every(isPlain)) {
    // Without its id on the other side, what is recorded here would look like a handoff that nobody took.
    count('header_not_written', 'a request of MCP is no plain object; it is sent as it is');
    return undefined;
  }
  const signal = ownData(options, 'signal');
  const sent = sendCall({
    wiring,
    target,
    agent: config.agent,
    prefix: 'mcp',
    // A request has an id of its connection only, and one that is sent again has another.
    callId: randomUUID(),
    callIdIsUnique: true,
    conversationId: undefined,
    contents: callContents(ownData(params, 'arguments')),
    waits: true,
    aborted: signal instanceof AbortSignal && signal.aborted,
    context: activeContext(),
  });
  if (sent === undefined) return undefined;
  if (sent.refusal !== undefined) return { request: undefined, sent, refusal: sent.refusal };
  const context =
    sent.state.dispatchSpan === undefined ? sent.context : trace.setSpanContext(sent.context, sent.state.dispatchSpan);
  return { request: withHandoffMeta(request, sent.state, context), sent, refusal: undefined };
}

/** A copy of it runs no code of the application's. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every((member) => 'value' in member);
}

function placedByApplication(placed: unknown, { agent }: McpConfig): PreparedCall | undefined {
  const state = decodeHandoff(placed);
  if (state === undefined) return undefined;
  return { request: undefined, sent: placedCall(state, agent), refusal: undefined };
}

/** A call resolved. An error that a tool reports, and a task that is only promised, are no answer. */
export function resultComes(wiring: Wiring, { sent }: PreparedCall, result: unknown): void {
  if (ownData(result, 'isError') === true || ownData(result, 'task') !== undefined) return;
  takeAnswer(wiring, 'mcp', sent, resultContents(result));
}
