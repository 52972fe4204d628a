import type { HandoffContractError } from '@seamtrace/contracts';
import { ATTR_A2A_TASK_ID } from '@seamtrace/semconv';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { activeContext } from '../../hooks/scope.js';
import type { Wiring } from '../../hooks/wiring.js';
import { decodeHandoff } from '../../propagation/decode.js';
import { encodeHandoff } from '../../propagation/encode.js';
import { A2A_HANDOFF_KEY } from '../../propagation/keys.js';
import { placedCall, sendCall, type SentCall } from '../../remote/outgoing.js';
import { count } from '../../runtime/report.js';
import { type AnswerFlow, beginAnswer } from './answer-flow.js';
import { cardName, checkCard } from './agent-card.js';
import { messageContents } from './carriers.js';
import type { A2AConfig } from './types.js';
import { canCarry, withExtensionHeader, withHandoff } from './message-copy.js';

/** One call of a client, after the application's interceptors and before it is sent. */
export interface ClientCall {
  readonly wiring: Wiring;
  readonly config: A2AConfig;
  readonly card: unknown;
  readonly params: unknown;
  readonly options: object | undefined;
}

/** What is sent instead, and what watches the answer. */
export interface PreparedCall {
  readonly params: unknown;
  readonly options: object | undefined;
  readonly answer: AnswerFlow | undefined;
  readonly refusal: HandoffContractError | undefined;
}

/**
 * A message is about to be sent. It is a handoff to the agent that the card names, unless the application put one into the
 * message itself: then that one goes on, and only the answer is watched.
 */
export function prepareCall(call: ClientCall): PreparedCall {
  const { wiring, config, card, params, options } = call;
  const message = ownData(params, 'message');
  const metadata = ownData(message, 'metadata');
  const requestMetadata = ownData(params, 'metadata');
  const placed = ownData(metadata, A2A_HANDOFF_KEY);
  const stated = placed === undefined ? undefined : decodeHandoff(placed);
  checkCard({ card, message, requestMetadata, stated, contracts: wiring.contracts(), headers: headerNames(options) });

  if (!canCarry(params)) {
    // Without its id on the other side, what is recorded here would look like a handoff that nobody took.
    if (message !== undefined) count('header_not_written', 'a message of A2A is no plain object; it is sent as it is');
    return { params, options, answer: undefined, refusal: undefined };
  }
  const given = stated === undefined ? undefined : placedCall(stated, config.agent);
  const sent = placed === undefined ? send(call, message, requestMetadata) : given;
  if (sent?.refusal !== undefined) return { params, options, answer: undefined, refusal: sent.refusal };
  if (sent === undefined && placed === undefined) return { params, options, answer: undefined, refusal: undefined };
  const carried = placed !== undefined || sent === undefined ? undefined : encodeHandoff(sent.state);
  const answer = sent === undefined ? undefined : beginAnswer(wiring, sent);
  const changed = placed !== undefined || carried !== undefined ? withHandoff(params, carried) : undefined;
  if (changed === undefined) return { params, options, answer, refusal: undefined };
  return { params: changed, options: withExtensionHeader(options), answer, refusal: undefined };
}

function send(
  { wiring, config, card, params, options }: ClientCall,
  message: unknown,
  requestMetadata: unknown,
): SentCall | undefined {
  const target = cardName(card);
  const messageId = text(ownData(message, 'messageId'));
  if (target === undefined || messageId === undefined) return undefined;
  const taskId = text(ownData(message, 'taskId'));
  return sendCall({
    wiring,
    target,
    agent: config.agent,
    prefix: 'a2a',
    callId: messageId,
    callIdIsUnique: messageId.length >= MIN_UNIQUE_ID,
    conversationId: text(ownData(message, 'contextId')),
    contents: messageContents(message, requestMetadata),
    waits: waits(ownData(params, 'configuration')),
    aborted: isAborted(ownData(options, 'signal')),
    attributes: taskId === undefined ? undefined : { [ATTR_A2A_TASK_ID]: taskId },
    context: activeContext(),
  });
}

/** A UUID has 36 characters, one without dashes 32, a nanoid 21. A shorter id may be counted up or fixed. */
const MIN_UNIQUE_ID = 21;

/** Both versions wait unless they are told not to. */
function waits(configuration: unknown): boolean {
  return ownData(configuration, 'returnImmediately') !== true && ownData(configuration, 'blocking') !== false;
}

function isAborted(signal: unknown): boolean {
  return signal instanceof AbortSignal && signal.aborted;
}

function headerNames(options: object | undefined): ReadonlySet<string> {
  const parameters = ownData(options, 'serviceParameters');
  const names = typeof parameters === 'object' && parameters !== null ? Object.getOwnPropertyNames(parameters) : [];
  return new Set(elements(names).map((name) => String(name).toLowerCase()));
}
