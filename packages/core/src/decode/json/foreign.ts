import { isForeign } from '../foreign-view.js';
import type { ForeignSpan } from '../../evidence/dialects/types.js';
import type { AttributeValue } from '../types.js';
import { asList, asObject, member } from './shape.js';
import { readKeyValue, readValue } from './value.js';

/** Stands for the value of a key that stands twice: nothing is known of it. */
export const TWICE = Symbol('twice');

/** Where the parts of a span stand that a dialect may ask for. */
export interface JsonForeign {
  readonly name: string;
  readonly scope: string;
  readonly traceId: string;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** Values of foreign keys, not read yet. */
  readonly foreign: ReadonlyMap<string, unknown>;
  readonly events: unknown;
}

/** The span for a dialect; `undefined` for one that no dialect can speak. */
export function createForeignView(parts: JsonForeign): ForeignSpan | undefined {
  const { name, scope, traceId, attributes, foreign, events } = parts;
  if (
    !isForeign(
      (key) => attributes.get(key),
      (key) => foreign.has(key),
    )
  )
    return undefined;
  const value = (key: string): AttributeValue | undefined => {
    if (attributes.has(key)) return attributes.get(key) ?? undefined;
    const raw = foreign.get(key);
    return raw === undefined || raw === TWICE ? undefined : read(raw);
  };
  return {
    name,
    scope,
    traceId,
    value,
    text: (key) => textOf(value(key)),
    eventText: (event, key) => textOf(eventValue(events, event, key)),
  };
}

/** What cannot be read is not known: a span that is sound as far as evidence asks is not refused for it. */
function read(raw: unknown): AttributeValue | undefined {
  try {
    return readValue(raw, 1) ?? undefined;
  } catch {
    return undefined;
  }
}

function eventValue(events: unknown, name: string, key: string): AttributeValue | undefined {
  try {
    for (const item of asList(events, 'events')) {
      const event = asObject(item, 'event');
      if (member(event, 'name') !== name) continue;
      for (const attribute of asList(member(event, 'attributes'), 'attributes')) {
        const entry = readKeyValue(attribute);
        if (entry.key === key) return read(entry.value);
      }
    }
  } catch {
    // Events are no evidence; a broken one says nothing.
  }
  return undefined;
}

function textOf(value: AttributeValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
