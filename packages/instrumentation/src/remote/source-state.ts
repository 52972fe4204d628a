import { type Context, context as contextApi } from '@opentelemetry/api';
import { frameOf } from '../accept/frame.js';
import { captureStage, type StageCapture } from '../capture/stage-capture.js';
import { unite } from '../capture/unite.js';
import type { ContractTerms } from '../handoff/state.js';
import { within } from '../hooks/scope.js';
import { captureContents, lacksRequired, type MessageContents } from './contents.js';

// OpenTelemetry's context keys are plain symbols; registered ones are the same in every copy of this package.
const STATE_KEY = Symbol.for('seamtrace.instrumentation.v1.source-state');

/** Holds the object, so that a state of `undefined` differs from none. */
interface Stated {
  readonly state: unknown;
}

/**
 * Tells what the agent at work can read, for handoffs that a hooked client (A2A, MCP) makes inside `fn`: they find their
 * source evidence in it, and only then can a missing key be put down to the source. The object is read at each dispatch,
 * so it may change meanwhile; only key names are kept. Returns and throws what `fn` does.
 *
 * Without it, such a client can see what a message holds and what the agent was handed itself, and its source evidence is
 * incomplete wherever a required key is in neither.
 */
export function withSourceState<T>(state: unknown, fn: () => T): T {
  return within(contextApi.active().setValue(STATE_KEY, { state } satisfies Stated), fn);
}

/**
 * Source evidence of a call to a remote agent. What is sent was there to be read, and so was what started the work at
 * hand. Beyond that only the application knows: the capture is complete where it told, or where nothing that is required
 * is left to ask for.
 */
export function captureSource(
  context: Context,
  sent: MessageContents,
  terms: ContractTerms | undefined,
  secret: string | undefined,
): StageCapture {
  const readable = captureContents({ ...sent, opaque: false }, terms, secret).capture;
  const stated = context.getValue(STATE_KEY) as Stated | undefined;
  if (stated !== undefined) return unite(captureStage(stated.state, terms, secret), readable, terms);
  if (readable.keys.complete && terms !== undefined && !lacksRequired(readable, terms)) return readable;
  const frame = frameOf(context);
  const arrived = (frame?.ingest ?? frame?.offered)?.capture;
  const seen = arrived === undefined ? readable : unite(arrived, readable, terms);
  if (!seen.keys.complete || (terms !== undefined && !lacksRequired(seen, terms))) return seen;
  return { ...seen, keys: { ...seen.keys, complete: false, incompleteReason: 'unsupported' } };
}
