import type { AnyFunction } from '../../hooks/any-function.js';
import { ownData } from '../../hooks/own-data.js';
import { activeContext, within } from '../../hooks/scope.js';
import { guarded } from '../../runtime/report.js';
import { answerComes } from './answer-flow.js';
import { type PreparedCall, prepareCall } from './handoff-flow.js';
import type { PatchedCopy } from './patch.js';

// `A2AClient` of 0.3 has no interceptors and no headers of its own; it holds its card as a promise.

export function wrapOldSend(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      const prepared = copy.active ? await prepare(copy, this as object, args[0]) : undefined;
      if (prepared === undefined) return original.apply(this, args);
      const response = await (original.call(this, prepared.params, ...args.slice(1)) as Promise<unknown>);
      const { answer } = prepared;
      guarded(
        'the answer of an agent',
        () => answer !== undefined && answerComes(this as object, answer, ownData(response, 'result')),
        undefined,
      );
      return response;
    };
}

export function wrapOldStream(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    async function* (this: unknown, ...args: unknown[]): AsyncGenerator<unknown, unknown, undefined> {
      const prepared = copy.active ? await prepare(copy, this as object, args[0]) : undefined;
      const params = prepared === undefined ? args[0] : prepared.params;
      const events = original.call(this, params, ...args.slice(1)) as AsyncGenerator<unknown, unknown, undefined>;
      const answer = prepared?.answer;
      if (answer === undefined) return yield* events;
      for await (const event of events) {
        guarded('the answer of an agent', () => answerComes(this as object, answer, event), undefined);
        yield event;
      }
      return undefined;
    };
}

async function prepare(copy: PatchedCopy, client: object, params: unknown): Promise<PreparedCall | undefined> {
  const context = activeContext();
  let card: unknown;
  try {
    card = await ownData(client, 'agentCardPromise');
  } catch {
    // The call will fail by it as well.
    return undefined;
  }
  const { wiring } = copy;
  const prepared = guarded(
    'a call to an agent',
    () => within(context, () => prepareCall({ wiring, config: copy.config(), card, params, options: undefined })),
    undefined,
  );
  if (prepared?.refusal !== undefined) throw prepared.refusal;
  return prepared;
}
