import { ATTR_A2A_TASK_ID } from '@seamtrace/semconv';
import type { Wiring } from '../../hooks/wiring.js';
import { takeAnswer } from '../../remote/answer.js';
import type { MessageContents } from '../../remote/contents.js';
import type { SentCall } from '../../remote/outgoing.js';
import { putBounded } from '../../runtime/bounded.js';
import { sum } from './carriers.js';
import { readEvent } from './events.js';

/** The answer to one call, as it comes in. */
export interface AnswerFlow {
  readonly wiring: Wiring;
  readonly sent: SentCall;
  contents: readonly MessageContents[];
  done: boolean;
}

/** How many tasks of one client are remembered whose answer is still to come. The oldest is forgotten first. */
const MAX_OPEN_TASKS = 256;
/** How many events of one answer are kept. Of a longer one it is only known that there was more. */
const MAX_EVENTS = 1_000;

const openTasks = new WeakMap<object, Map<string, AnswerFlow>>();

export function beginAnswer(wiring: Wiring, sent: SentCall): AnswerFlow {
  return { wiring, sent, contents: [], done: false };
}

/**
 * Something came back for a call: the message or task that it resolved to, or one event of its stream. With the message or
 * the completed task the answer is whole. A task that goes on is remembered by its id, so that what a later
 * `resubscribeTask` or `getTask` brings is the answer to the same call.
 */
export function answerComes(client: object, flow: AnswerFlow, value: unknown): void {
  const event = flow.done ? undefined : readEvent(value);
  if (event === undefined) return;
  const room = flow.contents.length < MAX_EVENTS;
  flow.contents = [...(room ? flow.contents : [{ records: [], opaque: true }]), event.contents];
  if (event.state === undefined || event.state === 'open') {
    if (event.taskId !== undefined) remember(client, event.taskId, flow);
    return;
  }
  flow.done = true;
  if (event.taskId !== undefined) openTasks.get(client)?.delete(event.taskId);
  if (event.state !== 'completed') return;
  const [only, ...others] = flow.contents;
  const contents = only !== undefined && others.length === 0 ? only : sum(flow.contents);
  const attributes = event.taskId === undefined ? undefined : { [ATTR_A2A_TASK_ID]: event.taskId };
  takeAnswer(flow.wiring, 'a2a', flow.sent, contents, attributes);
}

/** The call whose answer a task of this client still owes. */
export function openAnswer(client: object, value: unknown): AnswerFlow | undefined {
  const taskId = readEvent(value)?.taskId;
  return taskId === undefined ? undefined : openTasks.get(client)?.get(taskId);
}

function remember(client: object, taskId: string, flow: AnswerFlow): void {
  let tasks = openTasks.get(client);
  if (tasks === undefined) {
    tasks = new Map();
    openTasks.set(client, tasks);
  }
  putBounded(tasks, taskId, flow, MAX_OPEN_TASKS);
}
