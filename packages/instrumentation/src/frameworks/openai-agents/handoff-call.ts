import { elements, ownData } from './own-data.js';

/** Which call of the model is meant. Call ids of models repeat, so the position among equals counts too. */
export interface HandoffCall {
  readonly callId: string | undefined;
  readonly toolName: string | undefined;
}

/** The input items behind a list of the SDK's run items and of plain input items. */
export function rawItems(list: unknown): readonly unknown[] {
  return elements(list).map((item) => ownData(item, 'rawItem') ?? item);
}

/** All call items of the list that bear the call's id and name, in order. */
export function callItems(items: readonly unknown[], call: HandoffCall): readonly object[] {
  return items.filter(
    (item): item is object =>
      ownData(item, 'type') === 'function_call' &&
      ownData(item, 'callId') === call.callId &&
      ownData(item, 'name') === call.toolName,
  );
}

/** Whether the list holds the answer to the call. A provider takes an answer only where it holds the call itself. */
export function holdsAnswer(items: readonly unknown[], call: HandoffCall): boolean {
  return items.some(
    (item) => ownData(item, 'type') === 'function_call_result' && ownData(item, 'callId') === call.callId,
  );
}

/** The arguments of a call item as text. */
export function argumentsOf(item: object | undefined): string | undefined {
  const args = item === undefined ? undefined : ownData(item, 'arguments');
  return typeof args === 'string' ? args : undefined;
}
