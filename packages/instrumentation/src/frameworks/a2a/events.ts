import { ownData, text } from '../../hooks/own-data.js';
import type { MessageContents } from '../../remote/contents.js';
import { artifactContents, messageContents, statusContents, sum, taskContents } from './carriers.js';

// What an agent answers with: one message, or a task that goes through states while events tell of it. The same events
// are published by an executor, come out of a stream, and are what a call resolves to.

/** How far an answer has come. */
export type AnswerState = 'open' | 'completed' | 'failed' | 'canceled';

/** One event of an answer, of 1.x or 0.3. */
export interface AnswerEvent {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly contents: MessageContents;
  /** `undefined` where the event says nothing of it. */
  readonly state: AnswerState | undefined;
}

const STATES: Readonly<Record<string, AnswerState>> = {
  3: 'completed',
  4: 'failed',
  5: 'canceled',
  7: 'failed',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  rejected: 'failed',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_REJECTED: 'failed',
};

/** Reads one event; `undefined` for what is none. */
export function readEvent(event: unknown): AnswerEvent | undefined {
  const { kind, data } = unwrap(event);
  const ids = {
    taskId: text(ownData(data, 'taskId')),
    contextId: text(ownData(data, 'contextId')),
  };
  switch (kind) {
    case 'message':
      return { ...ids, contents: messageContents(data), state: 'completed' };
    case 'task': {
      const state = stateOf(data);
      return { ...ids, taskId: text(ownData(data, 'id')), contents: taskContents(data), state };
    }
    case 'artifact':
      return { ...ids, contents: artifactContents(ownData(data, 'artifact')), state: undefined };
    case 'status': {
      const state = stateOf(data);
      const status = ownData(data, 'status');
      return { ...ids, contents: state === 'completed' ? statusContents(status) : sum([]), state };
    }
    default:
      return undefined;
  }
}

type Kind = 'message' | 'task' | 'artifact' | 'status';

const KINDS: Readonly<Record<string, Kind>> = {
  message: 'message',
  task: 'task',
  'artifact-update': 'artifact',
  artifactUpdate: 'artifact',
  'status-update': 'status',
  statusUpdate: 'status',
};

/** 1.x: `{ payload: { $case, value } }` from a stream, `{ kind, data }` from an executor, bare results; 0.3: `{ kind, … }`. */
function unwrap(event: unknown): { readonly kind: Kind | undefined; readonly data: unknown } {
  const payload = ownData(event, 'payload');
  const named = text(ownData(payload, '$case')) ?? text(ownData(event, 'kind'));
  if (named !== undefined) {
    const inner = payload === undefined ? ownData(event, 'data') : ownData(payload, 'value');
    return { kind: KINDS[named], data: inner ?? event };
  }
  if (ownData(event, 'messageId') !== undefined) return { kind: 'message', data: event };
  return { kind: ownData(event, 'status') === undefined ? undefined : 'task', data: event };
}

function stateOf(holder: unknown): AnswerState {
  const state = ownData(ownData(holder, 'status'), 'state');
  return (typeof state === 'string' || typeof state === 'number' ? STATES[state] : undefined) ?? 'open';
}
