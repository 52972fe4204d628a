import type { AttributeValue, DecodedSpan } from '@seamtrace/core';
import { ATTR_SEAMTRACE_SCHEMA_VERSION, ATTRIBUTE_TYPES, type AttributeType, SCHEMA_VERSION } from '@seamtrace/semconv';
import { createTally } from '../diagnosis.js';
import type { Check } from '../types.js';

/** Spans of ours that arrive in another shape than they were made in, or were made by no rule. */
export const spans: Check = ({ services }) => {
  const tally = createTally();
  for (const { name, own } of services) {
    for (const { span, refused, droppedAttributes } of own) {
      if (refused !== undefined) {
        tally.add(name, span.name, {
          id: 'handoff_id_unusable',
          severity: 'problem',
          what: `spans are left out: ${refused.replace(/"[^"]*"/, 'the id')}`,
          fix: 'give each handoff an id of 3 to 128 letters, digits, dots, underscores, colons and hyphens that begins with a letter or digit, and let no processor rewrite it',
        });
      }
      const version = span.attributes.get(ATTR_SEAMTRACE_SCHEMA_VERSION);
      if (version !== undefined && version !== SCHEMA_VERSION) {
        tally.add(name, span.name, {
          id: 'schema_version',
          severity: 'problem',
          what: `spans follow version ${shown(version)} of the wire contract; this seamtrace reads ${SCHEMA_VERSION}`,
          fix: 'use versions of instrumentation and analyzer that belong together',
        });
      }
      if (droppedAttributes > 0) {
        tally.add(name, span.name, {
          id: 'attributes_dropped',
          severity: 'problem',
          what: 'the SDK dropped attributes of spans of ours, so captures cannot be trusted to be whole',
          fix: 'raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT (128 by default), or put fewer attributes on spans of agents',
        });
      }
      for (const [key, wanted, found] of wronglyTyped(span)) {
        tally.add(name, span.name, {
          id: 'attribute_type',
          severity: 'problem',
          what: `${key} is ${found} where ${WANTED[wanted]} is expected, so it counts as not said`,
          fix: 'stamp it with its type; where an exporter or a processor turns values into text, let it leave seamtrace.* alone',
        });
      }
    }
  }
  return tally.diagnoses();
};

const WANTED: Readonly<Record<AttributeType, string>> = {
  string: 'a text',
  'string[]': 'a list of texts',
  int: 'a whole number',
  double: 'a number',
  boolean: 'true or false',
};

function* wronglyTyped({ attributes }: DecodedSpan): Iterable<readonly [string, AttributeType, string]> {
  for (const [key, value] of attributes) {
    const wanted = ATTRIBUTE_TYPES.get(key);
    if (wanted !== undefined && !fits(value, wanted)) yield [key, wanted, typeName(value)];
  }
}

function fits(value: AttributeValue, wanted: AttributeType): boolean {
  switch (wanted) {
    case 'string':
      return typeof value === 'string';
    case 'string[]':
      return Array.isArray(value) && value.every((element) => typeof element === 'string');
    case 'int':
      return typeof value === 'bigint';
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'boolean':
      return typeof value === 'boolean';
  }
}

function typeName(value: AttributeValue): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list of other values';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Map) return 'a list of pairs';
  return (
    { string: 'a text', boolean: 'true or false', bigint: 'a whole number', number: 'a number' }[
      typeof value as string
    ] ?? 'something else'
  );
}

function shown(value: AttributeValue): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 16)) : typeName(value);
}
