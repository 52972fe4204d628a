import type { Attributes, Span } from '@opentelemetry/api';
import { ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST } from '@seamtrace/semconv';
import { argumentsDigest } from '../hooks/arguments-digest.js';
import { attributesOf } from '../stamp/write.js';

/** Longer arguments are not read: a digest is not worth holding up the application. */
const MAX_LENGTH = 16_384;

/**
 * The keyed digest of the arguments that an `execute_tool` span of somebody else's states, so that a repeated call is still
 * known as one after a pipeline has taken the content away. Nothing without a secret, and nothing for what is no whole JSON:
 * a limit of the SDK may have cut it, and two calls that begin alike are not the same.
 */
export function statedArguments(span: Span, secret: string | undefined): Attributes {
  const text = attributesOf(span)?.[ATTR_GEN_AI_TOOL_CALL_ARGUMENTS];
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !isJson(text)) return {};
  const digest = argumentsDigest(text, secret);
  return digest === undefined ? {} : { [ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST]: digest };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
