import { DIALECT_KEYS } from '../evidence/dialects/keys.js';
import { MODEL, OUTLINE_OPS } from './outline.js';
import { OPERATION_KEY, TOOL_KEY } from './outline-facts.js';
import type { AttributeValue } from './types.js';

const DIALECTS = [...DIALECT_KEYS];

/** Whether a dialect may read a span: it has the mark of one, or an operation that is no call of a model. */
export function isForeign(
  wanted: (key: string) => AttributeValue | undefined,
  hasForeign: (key: string) => boolean,
): boolean {
  for (const key of DIALECTS) if (hasForeign(key)) return true;
  const operation = wanted(OPERATION_KEY);
  if (operation !== undefined) return typeof operation !== 'string' || OUTLINE_OPS.get(operation) !== MODEL;
  return wanted(TOOL_KEY) !== undefined;
}
