import {
  ATTR_SEAMTRACE_HANDOFF_ATTEMPT,
  ATTR_SEAMTRACE_HANDOFF_EXECUTION,
  ATTR_SEAMTRACE_HANDOFF_ID,
  ATTR_SEAMTRACE_SCHEMA_VERSION,
  SCHEMA_VERSION,
} from '@seamtrace/semconv';
import type { DecodedSpan } from '../decode/types.js';
import { looksMasked } from './masked.js';
import { count } from './read.js';
import type { CaptureReason } from './types.js';

const HANDOFF_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{2,127}$/;

export interface Identity {
  readonly handoffId: string;
  readonly attempt: number;
  readonly execution: number;
  /** Why this span cannot be trusted to belong to exactly this attempt and execution. */
  readonly doubt: CaptureReason | undefined;
}

/**
 * Which attempt of which handoff a span is about; `undefined` where it names none, a sentence where the id is not one.
 * An attempt or execution that cannot be read is taken as 1 with a doubt, since nothing may be coerced.
 */
export function readIdentity(span: DecodedSpan): Identity | string | undefined {
  const id = span.attributes.get(ATTR_SEAMTRACE_HANDOFF_ID);
  if (id === undefined) return undefined;
  if (typeof id !== 'string') return `${ATTR_SEAMTRACE_HANDOFF_ID} is not a string`;
  if (!HANDOFF_ID.test(id)) {
    return `${ATTR_SEAMTRACE_HANDOFF_ID} ${quote(id)} does not match ${HANDOFF_ID.source}`;
  }
  // A mask is nobody's id: under it, evidence of strangers would be joined.
  if (looksMasked(id))
    return `${ATTR_SEAMTRACE_HANDOFF_ID} ${quote(id)} looks masked; let the pipeline pass it unchanged`;
  const attempt = ordinal(span, ATTR_SEAMTRACE_HANDOFF_ATTEMPT);
  const execution = ordinal(span, ATTR_SEAMTRACE_HANDOFF_EXECUTION);
  const doubts = [schemaDoubt(span), attempt, execution].filter((part) => typeof part === 'string');
  return {
    handoffId: id,
    attempt: typeof attempt === 'number' ? attempt : 1,
    execution: typeof execution === 'number' ? execution : 1,
    doubt: doubts[0],
  };
}

function ordinal(span: DecodedSpan, key: string): number | CaptureReason {
  const value = span.attributes.get(key);
  if (value === undefined) return 1;
  const number = count(value);
  if (number !== undefined && number >= 1) return number;
  return typeof value === 'string' && looksMasked(value) ? 'redacted' : 'truncated';
}

/** Absent is version 1; another version may mean something else by the same names. */
function schemaDoubt(span: DecodedSpan): CaptureReason | undefined {
  const version = span.attributes.get(ATTR_SEAMTRACE_SCHEMA_VERSION);
  if (version === undefined || version === SCHEMA_VERSION || version === BigInt(SCHEMA_VERSION)) return undefined;
  return 'unsupported';
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
