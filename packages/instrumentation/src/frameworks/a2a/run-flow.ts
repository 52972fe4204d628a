import { types } from 'node:util';
import { ATTR_A2A_TASK_ID } from '@seamtrace/semconv';
import type { AnyFunction } from '../../hooks/any-function.js';
import { memberOf, ownData, text } from '../../hooks/own-data.js';
import { wrapMethod } from '../../hooks/wrap-method.js';
import { A2A_HANDOFF_KEY } from '../../propagation/keys.js';
import { carriedIn } from '../../propagation/metadata.js';
import type { MessageContents } from '../../remote/contents.js';
import { type IncomingCall, type Outcome, serveCall } from '../../remote/incoming.js';
import { guarded } from '../../runtime/report.js';
import { cardName } from './agent-card.js';
import { sum } from './carriers.js';
import { readRequest } from './destination.js';
import { type AnswerState, readEvent } from './events.js';
import type { PatchedCopy } from './patch.js';

/** What one execution has published so far. */
interface Publishing {
  contents: readonly MessageContents[];
  state: AnswerState;
}

/** How many events of one execution are kept. Of a longer one it is only known that there was more. */
const MAX_EVENTS = 1_000;

/** Names of the cards under which an executor is served. */
const served = new WeakMap<object, Set<string>>();
const publishing = new WeakMap<object, Publishing>();

/**
 * Puts a wrapper around `execute` of the executor that a handler holds, once. It is an own member of that very object, since
 * an executor may be of any class or none; one that is frozen or a Proxy is left alone.
 */
export function followExecutor(copy: PatchedCopy, handler: unknown): void {
  const executor = ownData(handler, 'agentExecutor');
  if (typeof executor !== 'object' || executor === null || types.isProxy(executor)) return;
  const name = cardName(ownData(handler, 'agentCard'));
  const names = served.get(executor);
  if (names !== undefined) {
    if (name !== undefined) names.add(name);
    return;
  }
  if (typeof memberOf(executor, 'execute').value !== 'function' || !Object.isExtensible(executor)) return;
  served.set(executor, new Set(name === undefined ? [] : [name]));
  wrapMethod(executor, 'execute', wrapExecute(copy));
}

/** An executor published an event. */
export function published(bus: object, event: unknown): void {
  const current = publishing.get(bus);
  const read = current === undefined ? undefined : readEvent(event);
  if (current === undefined || read === undefined) return;
  const room = current.contents.length < MAX_EVENTS;
  current.contents = [...(room ? current.contents : [{ records: [], opaque: true }]), read.contents];
  if (read.state !== undefined) current.state = read.state;
}

function wrapExecute(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const work = (): unknown => original.apply(this, args);
      if (!copy.active) return work();
      const call = guarded('a message to an agent', () => incomingCall(copy, this as object, args), undefined);
      return call === undefined ? work() : serveCall(call, work);
    };
}

function incomingCall(copy: PatchedCopy, executor: object, [request, bus]: readonly unknown[]): IncomingCall {
  const { message, contents, taskId, contextId } = readRequest(request);
  const current: Publishing = { contents: [], state: 'open' };
  if (typeof bus === 'object' && bus !== null) publishing.set(bus, current);
  return {
    wiring: copy.wiring,
    prefix: 'a2a',
    state: carriedIn(ownData(message, 'metadata'), A2A_HANDOFF_KEY),
    agent: nameOf(executor),
    contents,
    conversationId: contextId,
    attributes: taskId === undefined ? undefined : { [ATTR_A2A_TASK_ID]: taskId },
    outcome: () => outcomeOf(current),
  };
}

/** One that is served under several cards answers to none of them alone. */
function nameOf(executor: object): string | undefined {
  const [name, ...others] = served.get(executor) ?? [];
  return others.length > 0 ? undefined : text(name);
}

function outcomeOf({ contents, state }: Publishing): Outcome {
  if (state === 'failed') return { answer: undefined, errorType: '_OTHER' };
  if (state === 'canceled') return { answer: undefined, errorType: 'cancelled' };
  const [only, ...others] = contents;
  if (state !== 'completed' || only === undefined) return { answer: undefined };
  return { answer: others.length === 0 ? only : sum(contents) };
}
