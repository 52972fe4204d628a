import { types } from 'node:util';
import { elements, ownData } from '../../hooks/own-data.js';

/** A call of the model as it stands in a list of input items, at one moment: filters also write into items. */
export interface CallItem {
  readonly item: object;
  readonly callId: unknown;
  readonly name: unknown;
  readonly args: unknown;
}

/** The input items behind a list of the SDK's run items and of plain input items. */
export function rawItems(list: unknown): readonly unknown[] {
  return elements(list).map((item) => ownData(item, 'rawItem') ?? item);
}

/** The function calls of a list, in order. */
export function callItems(items: readonly unknown[]): readonly CallItem[] {
  return items.flatMap((item) =>
    ownData(item, 'type') === 'function_call'
      ? [
          {
            item: item as object,
            callId: ownData(item, 'callId'),
            name: ownData(item, 'name'),
            args: ownData(item, 'arguments'),
          },
        ]
      : [],
  );
}

/** Whether every item of the list can be read without running code of the application's. */
export function readable(list: unknown): boolean {
  if (!Array.isArray(list) || types.isProxy(list)) return false;
  return list.every((item: unknown) => isReadable(ownData(item, 'rawItem') ?? item));
}

function isReadable(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || types.isProxy(item)) return false;
  const type = Object.getOwnPropertyDescriptor(item, 'type') ?? Object.getOwnPropertyDescriptor(item, 'role');
  if (type === undefined || !('value' in type)) return false;
  if (type.value !== 'function_call') return true;
  return ['callId', 'name', 'arguments'].every((name) => {
    const member = Object.getOwnPropertyDescriptor(item, name);
    return member === undefined || 'value' in member;
  });
}
