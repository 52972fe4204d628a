import { ATTR_GEN_AI_USAGE_INPUT_TOKENS, ATTR_GEN_AI_USAGE_OUTPUT_TOKENS } from '@seamtrace/semconv';
import { OUTLINE_OPS, type OutlineBuilder, type OutlineFacts } from './outline.js';
import type { AttributeValue } from './types.js';

/** Longest name that an outline keeps, in UTF-16 units, as evidence does; a longer one is not stated. */
export const MAX_NAME = 512;

/** Keys of what an outline says of a span with an operation. */
export const OPERATION_KEY = 'gen_ai.operation.name';
export const AGENT_KEY = 'gen_ai.agent.name';
export const TOOL_KEY = 'gen_ai.tool.name';
export const ERROR_KEY = 'error.type';

export function emptyFacts(): OutlineFacts {
  return { op: 0, failed: false, agent: 0, tool: 0, error: 0, inputTokens: -1, outputTokens: -1 };
}

/**
 * Fills `into` from attributes that have been read; `undefined` for a span whose operation an outline does not keep
 * apart. A value of another type is not stated.
 */
export function readFacts(
  attributes: ReadonlyMap<string, AttributeValue>,
  outline: OutlineBuilder,
  into: OutlineFacts,
): OutlineFacts | undefined {
  const operation = attributes.get(OPERATION_KEY);
  const op = typeof operation === 'string' ? OUTLINE_OPS.get(operation) : undefined;
  if (op === undefined) return undefined;
  const name = (key: string): number => {
    const value = attributes.get(key);
    return typeof value === 'string' && isName(value) ? outline.name(value) : 0;
  };
  into.op = op;
  into.agent = name(AGENT_KEY);
  into.tool = name(TOOL_KEY);
  into.error = name(ERROR_KEY);
  into.inputTokens = tokens(attributes.get(ATTR_GEN_AI_USAGE_INPUT_TOKENS));
  into.outputTokens = tokens(attributes.get(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS));
  return into;
}

export function isName(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME;
}

function tokens(value: AttributeValue | undefined): number {
  return typeof value === 'bigint' && value >= 0n && value <= MAX_COUNT ? Number(value) : -1;
}

const MAX_COUNT = BigInt(Number.MAX_SAFE_INTEGER);
