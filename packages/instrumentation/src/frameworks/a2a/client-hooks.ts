import type { AnyFunction } from '../../hooks/any-function.js';
import { ownData } from '../../hooks/own-data.js';
import { within, activeContext } from '../../hooks/scope.js';
import { guarded } from '../../runtime/report.js';
import { type AnswerFlow, answerComes, openAnswer } from './answer-flow.js';
import { prepareCall } from './handoff-flow.js';
import type { AfterArgs, BeforeArgs } from './internal-types.js';
import type { PatchedCopy } from './patch.js';

// `Client` gives its interceptors the call before it is sent, and each thing that comes back. Our part runs behind those of
// the application, so it sees what they made of the message, and they see nothing of ours.

const SENDING: ReadonlySet<string> = new Set(['sendMessage', 'sendMessageStream']);
const FOLLOWING: ReadonlySet<string> = new Set(['getTask', 'resubscribeTask']);

/** The options object of a call is the same before it and after it, and belongs to no other. */
const flows = new WeakMap<object, AnswerFlow>();

export function wrapInterceptBefore(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      if (!copy.active || !(result instanceof Promise)) return result;
      const context = activeContext();
      return Promise.prototype.then.call(result, (early: unknown) => {
        // An interceptor answered in the agent's place: nothing is sent.
        if (early === undefined) within(context, () => sends(copy, this as object, args[0] as BeforeArgs));
        return early;
      });
    };
}

function sends(copy: PatchedCopy, client: object, args: BeforeArgs): void {
  if (!SENDING.has(args.input.method)) return;
  const prepared = guarded(
    'a call to an agent',
    () =>
      prepareCall({
        wiring: copy.wiring,
        config: copy.config(),
        card: ownData(client, 'agentCard') ?? args.agentCard,
        params: args.input.value,
        options: args.options,
      }),
    undefined,
  );
  if (prepared?.refusal !== undefined) throw prepared.refusal;
  if (prepared === undefined) return;
  args.input.value = prepared.params;
  if (prepared.answer === undefined) return;
  args.options = { ...prepared.options };
  flows.set(args.options, prepared.answer);
}

export function wrapInterceptAfter(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function (this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      if (!copy.active || !(result instanceof Promise)) return result;
      return Promise.prototype.then.call(result, (nothing: unknown) => {
        guarded('the answer of an agent', () => comesBack(this as object, args[0] as AfterArgs), undefined);
        return nothing;
      });
    };
}

function comesBack(client: object, { result, options }: AfterArgs): void {
  const sent = options === undefined ? undefined : flows.get(options);
  const flow = sent ?? (FOLLOWING.has(result.method) ? openAnswer(client, result.value) : undefined);
  if (flow !== undefined) answerComes(client, flow, result.value);
}
