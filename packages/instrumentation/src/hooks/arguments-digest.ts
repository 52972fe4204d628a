import { canonicalJson, keyedDigest } from '@seamtrace/contracts';

/**
 * Keyed digest of a tool call's arguments (wire contract, section 3, `seamtrace.tool.arguments.digest`): the same for equal
 * JSON, in whatever order and spacing it was written. `undefined` without a secret, and for what is no JSON.
 *
 * @param args A JSON value, or JSON text as a model wrote it.
 */
export function argumentsDigest(args: unknown, secret: string | undefined): string | undefined {
  if (secret === undefined || secret === '' || args === undefined) return undefined;
  const text = canonicalJson(typeof args === 'string' ? parsed(args) : args);
  return text === undefined ? undefined : keyedDigest(secret, text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
