import type { AttributeValue } from '@opentelemetry/api';
import {
  ATTR_SEAMTRACE_CAPTURE_BY,
  ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS,
  ATTR_SEAMTRACE_HANDOFF_ROLE,
  ATTR_SEAMTRACE_HOP_PATH,
  STAGE_KEYS,
  type Stage,
} from '@seamtrace/semconv';
import type { HandoffState } from '../handoff/state.js';
import { count } from '../runtime/report.js';
import { carriedAttributes } from '../stamp/evidence.js';
import { identityAttributes } from '../stamp/identity.js';
import { MAX_CARRIED_BYTES } from './keys.js';
import { formatTraceParent, TRACE_PARENT } from './trace-parent.js';

/**
 * One handoff as one JSON object: what its `dispatch` span says, under the same names. Two members are added: the
 * contract's list of nullable keys, without which a consumer that has no contract file would take `null` for absent, and
 * the `dispatch` span's own trace context, to which the consumer links.
 */
export type CarriedHandoff = Readonly<Record<string, AttributeValue>>;

/** Not an attribute: it only travels. */
export const NULLABLE_KEYS = 'seamtrace.contract.nullable_keys';

type Draft = Record<string, AttributeValue>;

/** What is given up, in this order, until the object fits. A stage that loses its names says `truncated`. */
const SHORTENINGS: readonly ((draft: Draft) => void)[] = [
  (draft) => drop(draft, STAGE_KEYS.source.valueDigests, STAGE_KEYS.payload.valueDigests),
  (draft) => dropNames(draft, 'source'),
  (draft) => dropNames(draft, 'payload'),
  (draft) => drop(draft, TRACE_PARENT),
  (draft) => drop(draft, ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS),
  (draft) => drop(draft, ATTR_SEAMTRACE_HOP_PATH),
  // Required and nullable go together: one without the other would read as another contract.
  (draft) => drop(draft, ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS, NULLABLE_KEYS),
];

/**
 * The JSON object that carries a handoff, at most 4,096 bytes. When it is too large, names are given up before identity,
 * and each stage that lost its names says so. `undefined` when even the identity does not fit; both are counted.
 */
export function encodeHandoff(state: HandoffState): CarriedHandoff | undefined {
  const draft: Draft = {};
  for (const [key, value] of Object.entries({
    ...identityAttributes(state, 'dispatch'),
    ...carriedAttributes(state),
  })) {
    if (value !== undefined) draft[key] = value;
  }
  drop(draft, ATTR_SEAMTRACE_HANDOFF_ROLE, ATTR_SEAMTRACE_CAPTURE_BY);
  const nullable = state.contract?.nullable ?? [];
  if (nullable.length > 0) draft[NULLABLE_KEYS] = [...nullable];

  const traceParent = formatTraceParent(state.dispatchSpan);
  const linked = traceParent === undefined ? draft : { ...draft, [TRACE_PARENT]: traceParent };
  if (fits(linked)) return linked;
  // No name is given up for the link alone; where names have to go anyway, it outlives them, as it is nowhere else.
  if (fits(draft)) return draft;
  return shortened(linked);
}

function shortened(draft: Draft): CarriedHandoff | undefined {
  count('header_shortened', `what travels with a handoff is over ${MAX_CARRIED_BYTES} bytes; key lists are left out`);
  for (const shorten of SHORTENINGS) {
    shorten(draft);
    if (fits(draft)) return draft;
  }
  count(
    'header_not_written',
    `the identity of a handoff is over ${MAX_CARRIED_BYTES} bytes; no evidence travels with it`,
  );
  return undefined;
}

function fits(draft: Draft): boolean {
  return Buffer.byteLength(JSON.stringify(draft)) <= MAX_CARRIED_BYTES;
}

function drop(draft: Draft, ...keys: string[]): void {
  for (const key of keys) delete draft[key];
}

/** Count and digest stay: they still say which payload it was. */
function dropNames(draft: Draft, stage: Stage): void {
  const names = STAGE_KEYS[stage];
  if (draft[names.keys] === undefined) return;
  drop(draft, names.keys);
  if (draft[names.complete] === true) draft[names.incompleteReason] = 'truncated';
  draft[names.complete] = false;
}
