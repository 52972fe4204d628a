import { memberOf, ownData, text } from '../../hooks/own-data.js';
import type { MessageContents } from '../../remote/contents.js';
import { messageContents } from './carriers.js';

/** What an executor is given to work on. */
export interface RequestReading {
  readonly message: unknown;
  readonly contents: MessageContents;
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
}

/**
 * Reads the `RequestContext` of an executor: the message as received, which is what its agent can read before it does
 * anything. Of the request's own metadata 1.x passes on what 0.3 keeps to itself, so only there it counts as arrived.
 */
export function readRequest(request: unknown): RequestReading {
  const params = ownData(request, 'request');
  const message = ownData(request, 'userMessage') ?? ownData(params, 'message');
  return {
    message,
    contents: messageContents(message, memberOf(params, 'metadata').value),
    taskId: text(ownData(request, 'taskId')),
    contextId: text(ownData(request, 'contextId')),
  };
}
