import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_SEAMTRACE_HANDOFF_ROLE,
  HANDOFF_ROLES,
  STAGE_KEYS,
  type Stage,
} from '@seamtrace/semconv';
import type { HandoffRole } from '@seamtrace/semconv';
import type { DecodedSpan } from '../decode/types.js';
import { readEnum } from './read.js';
import type { Side } from './types.js';

/** What a span is to the handoff that it names. */
export interface Speaker {
  readonly role: HandoffRole | undefined;
  /** Whose span it is; both where a hand-stamped span carries evidence of both and says no role. */
  readonly sides: readonly Side[];
  /** Stages that the role obliges the span to speak about. */
  readonly obliged: readonly Stage[];
}

/**
 * The role that a span states, else what it can be: an `invoke_agent` span is a destination, any other span speaks for
 * the stages that it carries (wire contract, section 2).
 */
export function speakerOf(span: DecodedSpan): Speaker {
  const role = readEnum(span, ATTR_SEAMTRACE_HANDOFF_ROLE, HANDOFF_ROLES) ?? impliedRole(span);
  if (role === 'dispatch') return { role, sides: ['producer'], obliged: ['source', 'payload'] };
  if (role !== undefined) return { role, sides: ['consumer'], obliged: ['destination'] };
  const producer = carries(span, 'source') || carries(span, 'payload');
  const consumer = carries(span, 'destination');
  if (producer === consumer) return { role, sides: ['producer', 'consumer'], obliged: [] };
  return { role, sides: [producer ? 'producer' : 'consumer'], obliged: [] };
}

function impliedRole(span: DecodedSpan): HandoffRole | undefined {
  return span.attributes.get(ATTR_GEN_AI_OPERATION_NAME) === 'invoke_agent' ? 'destination' : undefined;
}

function carries(span: DecodedSpan, stage: Stage): boolean {
  const { keys, complete, keyCount } = STAGE_KEYS[stage];
  return [keys, complete, keyCount].some((key) => span.attributes.has(key));
}
