import { type Context, ROOT_CONTEXT, type TextMapGetter, trace } from '@opentelemetry/api';
import { unseenStage } from '../capture/stage-capture.js';
import { attemptKey, type HandoffState } from '../handoff/state.js';
import { count, tally } from '../runtime/report.js';
import { runtime } from '../runtime/state.js';
import { isSampledOut } from '../sampling/kept-mark.js';
import { findBaggageValue, parseBaggageValue } from './baggage.js';
import { defaultGetter, textAt } from './carrier.js';
import { decodeHandoff } from './decode.js';
import { HANDOFF_HEADER, MAX_CARRIED_BYTES } from './keys.js';
import { extractTrace } from './trace-context.js';

/** What a carrier brought. */
export interface Extracted {
  readonly state: HandoffState;
  /** The producer's trace context and baggage, by the global propagator, or W3C trace context where none is registered. */
  readonly remote: Context;
}

const MAX_HEADER_LENGTH = Math.ceil(MAX_CARRIED_BYTES / 3) * 4;

/**
 * Reads a handoff from a carrier: from the header, else the bare identity from baggage. `undefined` when there is
 * neither. What is absent, too long or malformed is counted.
 */
export function extractHandoff<C>(carrier: C, getter?: TextMapGetter<C>): Extracted | undefined {
  const read = getter ?? (defaultGetter as TextMapGetter<C>);
  const state = fromHeader(textAt(carrier, HANDOFF_HEADER, read)) ?? fromBaggage(textAt(carrier, 'baggage', read));
  if (state === undefined) return undefined;
  const remote = extractTrace(ROOT_CONTEXT, carrier, read);
  return { state: withSampledOut(state, remote), remote };
}

/**
 * Where no evidence travelled with the handoff and the carried trace is one that head sampling left out, nobody may ever
 * see what the producer captured, and that is why. A `dispatch` span that arrives all the same says more and counts.
 */
function withSampledOut(state: HandoffState, remote: Context): HandoffState {
  if (state.sourceCapture !== undefined || state.payloadCapture !== undefined) return state;
  if (!isSampledOut(trace.getSpanContext(remote))) return state;
  // Of the payload nothing is said: a destination that restates one is compared with the producer's.
  return { ...state, sourceCapture: unseenStage('sampled') };
}

function fromHeader(header: string | undefined): HandoffState | undefined {
  if (header === undefined || header === '') {
    tally('header_absent', `a message came without a ${HANDOFF_HEADER} header; only the destination can speak for it`);
    return undefined;
  }
  if (header.length > MAX_HEADER_LENGTH) {
    count('header_too_long', `a ${HANDOFF_HEADER} header has ${header.length} characters, over ${MAX_HEADER_LENGTH}`);
    return undefined;
  }
  return readCarriedObject(parseHeader(header));
}

/** Reads the object that travels in a header or as message metadata; what is malformed is counted. */
export function readCarriedObject(carried: unknown): HandoffState | undefined {
  const state = decodeHandoff(carried);
  if (state === undefined) count('header_malformed', 'a carried handoff is malformed and is not used');
  return state;
}

function parseHeader(header: string): unknown {
  // Node.js skips what is not base64url; damaged text must not decode to something else.
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(header)) return undefined;
  try {
    return JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function fromBaggage(header: string | undefined): HandoffState | undefined {
  const value = header === undefined ? undefined : findBaggageValue(header);
  if (value === undefined) return undefined;
  const identity = parseBaggageValue(value);
  if (identity === undefined) {
    count('baggage_malformed', 'the seamtrace.handoff member of a baggage header is malformed and is not used');
    return undefined;
  }
  const { id, attempt, hop } = identity;
  // Baggage alone says little; when this process dispatched the attempt itself, it knows the rest.
  const known = runtime().known.get(attemptKey(id, attempt))?.state;
  return known ?? { id, attempt, execution: 1, ...(hop > 0 ? { hop: { index: hop } } : {}) };
}
