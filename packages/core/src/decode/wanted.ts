import { ATTR_GEN_AI_USAGE_INPUT_TOKENS, ATTR_GEN_AI_USAGE_OUTPUT_TOKENS } from '@seamtrace/semconv';

/** Attribute keys outside our own namespace that extractors read. Everything else is skipped, unread. */
export const WANTED_KEYS: ReadonlySet<string> = new Set([
  'gen_ai.operation.name',
  'gen_ai.agent.name',
  'gen_ai.agent.id',
  'gen_ai.agent.version',
  'gen_ai.conversation.id',
  'gen_ai.tool.name',
  'gen_ai.tool.call.id',
  'gen_ai.transfer.mode',
  'gen_ai.transfer.target.name',
  'gen_ai.caller.type',
  'gen_ai.caller.name',
  'a2a.task.id',
  'error.type',
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
]);

export { FOREIGN_KEYS } from '../evidence/dialects/keys.js';

/** Prefix under which every key is wanted. */
export const WANTED_PREFIX = 'seamtrace.';

/** Prefix that an exporter without an OpenTelemetry bridge puts before our keys; read as if it were not there. */
export const METADATA_PREFIX = 'mastra.metadata.seamtrace.';

/** Length of what stands before our own prefix in {@link METADATA_PREFIX}. */
export const METADATA_CUT = METADATA_PREFIX.length - WANTED_PREFIX.length;

/** The name under which an attribute is kept, or `undefined` where nobody asks for it. */
export function wantedName(key: string): string | undefined {
  if (key.startsWith(WANTED_PREFIX) || WANTED_KEYS.has(key)) return key;
  return key.startsWith(METADATA_PREFIX) ? key.slice(METADATA_CUT) : undefined;
}
