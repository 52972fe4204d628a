import type { AttributeValue } from '@seamtrace/core';
import type { PlainMessage } from './otlp-sink.js';

export function list(message: PlainMessage, member: string): readonly PlainMessage[] {
  return (message[member] as readonly PlainMessage[] | undefined) ?? [];
}

export function child(message: PlainMessage, member: string): PlainMessage {
  return (message[member] as PlainMessage | undefined) ?? {};
}

export function text(message: PlainMessage, member: string): string {
  return (message[member] as string | undefined) ?? '';
}

export function integer(message: PlainMessage, member: string): number {
  return Number(message[member] ?? 0);
}

export function nanos(message: PlainMessage, member: string): bigint {
  return BigInt((message[member] as string | number | undefined) ?? 0);
}

/** An id as lower-case hex; empty when absent. */
export function id(message: PlainMessage, member: string): string {
  const value = message[member] as string | Uint8Array | undefined;
  if (value === undefined) return '';
  return typeof value === 'string' ? value.toLowerCase() : Buffer.from(value).toString('hex');
}

export function attributeMap(message: PlainMessage): ReadonlyMap<string, AttributeValue> {
  return new Map(list(message, 'attributes').map((entry) => [text(entry, 'key'), anyValue(child(entry, 'value'))]));
}

export function anyValue(value: PlainMessage): AttributeValue {
  if ('stringValue' in value) return text(value, 'stringValue');
  if ('boolValue' in value) return value['boolValue'] as boolean;
  if ('intValue' in value) return nanos(value, 'intValue');
  if ('doubleValue' in value) return Number(value['doubleValue']);
  if ('arrayValue' in value) return list(child(value, 'arrayValue'), 'values').map(anyValue);
  if ('kvlistValue' in value) {
    const entries = list(child(value, 'kvlistValue'), 'values');
    return new Map(entries.map((entry) => [text(entry, 'key'), anyValue(child(entry, 'value'))]));
  }
  if ('bytesValue' in value) {
    const bytes = value['bytesValue'] as string | Uint8Array;
    return typeof bytes === 'string' ? Uint8Array.from(Buffer.from(bytes, 'base64')) : Uint8Array.from(bytes);
  }
  return null;
}
