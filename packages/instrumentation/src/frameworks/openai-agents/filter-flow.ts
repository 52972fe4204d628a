import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { type CallItem, callItems, rawItems, readable } from './call-items.js';
import type { Dispatch } from './dispatch.js';
import { followCall, locateCall } from './handoff-call.js';
import { dispatchEnds, dispatchFailed } from './handoff-flow.js';
import { answerTexts, type MessageTexts, messageTexts, rewrote } from './message-texts.js';
import { ownData, text } from '../../hooks/own-data.js';

/** What a filter was given, to be compared with what it returns. */
export interface BeforeFilter {
  readonly texts: MessageTexts;
  readonly answers: MessageTexts;
  readonly calls: readonly CallItem[];
  readonly ours: CallItem | undefined;
}

export function filterStarts(run: AgentRun, input: unknown): BeforeFilter | undefined {
  const { dispatch } = run;
  if (dispatch === undefined) return undefined;
  const items = allItems(input);
  const calls = callItems(items);
  // Before 0.6 the SDK does not show the model's calls earlier than here.
  dispatch.call = { ...dispatch.call, callId: dispatch.call.callId ?? findCallId(input, dispatch) };
  const { call, args } = dispatch;
  const { found } = locateCall(items, call, args);
  const ours = calls.find(({ item }) => item === found?.item);
  return { texts: messageTexts(items.concat(historyText(input))), answers: answerTexts(items), calls, ours };
}

export function filterReturned(
  run: AgentRun,
  before: BeforeFilter | undefined,
  given: unknown,
  filtered: unknown,
): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  dispatch.hidden = guarded('the payload of a handoff', () => isHidden(dispatch, before, filtered), true);
  dispatchEnds(run, dispatch, ownData(given, 'runContext'));
}

/** Follows the call through the filter, and says whether keys may have gone where they cannot be seen. */
function isHidden(dispatch: Dispatch, before: BeforeFilter | undefined, filtered: unknown): boolean {
  dispatch.callUnclear = true;
  if (before === undefined || !isReadable(filtered)) return true;
  const items = allItems(filtered);
  const rewritten = rewrote(before.texts, messageTexts(items.concat(historyText(filtered))));
  if (dispatch.args === undefined) return rewritten;
  if (before.ours === undefined) return true;
  const after = followCall(before.calls, before.ours, items);
  if (after.found === undefined && !after.known) return true;
  dispatch.callUnclear = false;
  dispatch.args = text(after.found?.args);
  if (after.found !== undefined) dispatch.call = { callId: text(after.found.callId), toolName: text(after.found.name) };
  // Results may be shortened; where the call's arguments went, they may have gone into one.
  return rewritten || (dispatch.args !== dispatch.made.args && rewrote(before.answers, answerTexts(items)));
}

/** Whether what a filter returned can be read without running code of the application's. */
function isReadable(filtered: unknown): boolean {
  const history = ownData(filtered, 'inputHistory');
  const lists = [ownData(filtered, 'preHandoffItems'), ownData(filtered, 'newItems')];
  return lists.every(readable) && (typeof history === 'string' || readable(history));
}

export function filterFailed(run: AgentRun, error: unknown): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  dispatchFailed(run, dispatch, error);
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
