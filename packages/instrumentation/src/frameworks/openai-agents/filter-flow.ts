import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { type Dispatch, endDispatch } from './dispatch.js';
import { errorTypeOf } from './error-type.js';
import { argumentsOf, callItems, rawItems } from './handoff-call.js';
import { dispatchEnds } from './handoff-flow.js';
import { type MessageTexts, messageTexts, rewrote } from './message-texts.js';
import { ownData, text } from './own-data.js';

/** What a filter was given, to be compared with what it returns. */
export interface BeforeFilter {
  readonly texts: MessageTexts;
  readonly calls: readonly object[];
}

export function filterStarts(run: AgentRun, input: unknown): BeforeFilter | undefined {
  const { dispatch } = run;
  if (dispatch === undefined) return undefined;
  const items = allItems(input);
  // Before 0.6 the SDK does not show the model's calls earlier than here.
  dispatch.call = { ...dispatch.call, callId: dispatch.call.callId ?? findCallId(input, dispatch) };
  const { call } = dispatch;
  return { texts: messageTexts(items.concat(historyText(input))), calls: callItems(items, call) };
}

export function filterReturned(
  run: AgentRun,
  before: BeforeFilter | undefined,
  given: unknown,
  filtered: unknown,
): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  guarded(
    'the payload of a handoff',
    () => {
      const items = allItems(filtered);
      dispatch.textRewritten =
        before === undefined || rewrote(before.texts, messageTexts(items.concat(historyText(filtered))));
      dispatch.args = argumentsAfter(before?.calls ?? [], items, filtered, dispatch);
    },
    undefined,
  );
  dispatchEnds(run, dispatch, ownData(given, 'runContext'));
}

export function filterFailed(run: AgentRun, error: unknown): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  endDispatch(dispatch, 'dropped', run.now(), errorTypeOf(error));
  run.dispatch = undefined;
}

/** The arguments of the call in what the filter returned; `undefined` when the call is not there any more. */
function argumentsAfter(
  before: readonly object[],
  items: readonly unknown[],
  filtered: unknown,
  dispatch: Dispatch,
): string | undefined {
  const ours = before.at(-1);
  if (ours === undefined) return dispatch.args;
  const after = callItems(items, dispatch.call);
  if (after.includes(ours)) return argumentsOf(ours);
  // Filters copy items. Of several calls with one id, ours came last.
  const among =
    after.length >= before.length ? after : callItems(rawItems(ownData(filtered, 'newItems')), dispatch.call);
  return argumentsOf(among.at(-1));
}

function findCallId(input: unknown, { call, args }: Dispatch): string | undefined {
  const found = rawItems(ownData(input, 'newItems')).filter(
    (item) =>
      ownData(item, 'type') === 'function_call' &&
      ownData(item, 'name') === call.toolName &&
      (text(ownData(item, 'arguments')) ?? undefined) === args,
  );
  return text(ownData(found.at(-1), 'callId'));
}

function allItems(input: unknown): unknown[] {
  return ['inputHistory', 'preHandoffItems', 'newItems'].flatMap((name) => rawItems(ownData(input, name)));
}

function historyText(input: unknown): readonly unknown[] {
  const history = ownData(input, 'inputHistory');
  return typeof history === 'string' ? [{ role: 'user', content: history }] : [];
}
