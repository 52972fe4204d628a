import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_VERSION,
  ATTR_SEAMTRACE_DESTINATION_COMPLETE,
  ATTR_SEAMTRACE_DESTINATION_INCOMPLETE_REASON,
  ATTR_SEAMTRACE_DESTINATION_KEY_COUNT,
  ATTR_SEAMTRACE_DESTINATION_KEYS,
  ATTR_SEAMTRACE_DESTINATION_KEYS_DIGEST,
  ATTR_SEAMTRACE_DESTINATION_STATE_REF,
  ATTR_SEAMTRACE_DESTINATION_VALUE_DIGESTS,
  ATTR_SEAMTRACE_GOAL_DIGEST,
  ATTR_SEAMTRACE_PAYLOAD_CHANNEL,
  ATTR_SEAMTRACE_PAYLOAD_COMPLETE,
  ATTR_SEAMTRACE_PAYLOAD_INCOMPLETE_REASON,
  ATTR_SEAMTRACE_PAYLOAD_KEY_COUNT,
  ATTR_SEAMTRACE_PAYLOAD_KEYS,
  ATTR_SEAMTRACE_PAYLOAD_KEYS_DIGEST,
  ATTR_SEAMTRACE_PAYLOAD_REFERENCES,
  ATTR_SEAMTRACE_PAYLOAD_SIZE,
  ATTR_SEAMTRACE_PAYLOAD_SIZE_BY,
  ATTR_SEAMTRACE_PAYLOAD_STATE_REF,
  ATTR_SEAMTRACE_PAYLOAD_TEXT_SIZE,
  ATTR_SEAMTRACE_PAYLOAD_VALUE_DIGESTS,
  ATTR_SEAMTRACE_SOURCE_COMPLETE,
  ATTR_SEAMTRACE_SOURCE_INCOMPLETE_REASON,
  ATTR_SEAMTRACE_SOURCE_KEY_COUNT,
  ATTR_SEAMTRACE_SOURCE_KEYS,
  ATTR_SEAMTRACE_SOURCE_KEYS_DIGEST,
  ATTR_SEAMTRACE_SOURCE_STATE_REF,
  ATTR_SEAMTRACE_SOURCE_VALUE_DIGESTS,
  ATTR_SEAMTRACE_STATE_DIGEST,
} from '@seamtrace/semconv';
import type { StageCapture } from '../capture/stage-capture.js';
import type { ContractTerms, HandoffState } from '../handoff/state.js';
import { list, present } from './identity.js';

export type Stage = 'source' | 'payload' | 'destination';

/** The attribute keys of one stage. */
export interface StageKeys {
  readonly keys: string;
  readonly complete: string;
  readonly incompleteReason: string;
  readonly keyCount: string;
  readonly keysDigest: string;
  readonly stateRef: string;
  readonly valueDigests: string;
}

export const STAGE_KEYS: Readonly<Record<Stage, StageKeys>> = {
  source: {
    keys: ATTR_SEAMTRACE_SOURCE_KEYS,
    complete: ATTR_SEAMTRACE_SOURCE_COMPLETE,
    incompleteReason: ATTR_SEAMTRACE_SOURCE_INCOMPLETE_REASON,
    keyCount: ATTR_SEAMTRACE_SOURCE_KEY_COUNT,
    keysDigest: ATTR_SEAMTRACE_SOURCE_KEYS_DIGEST,
    stateRef: ATTR_SEAMTRACE_SOURCE_STATE_REF,
    valueDigests: ATTR_SEAMTRACE_SOURCE_VALUE_DIGESTS,
  },
  payload: {
    keys: ATTR_SEAMTRACE_PAYLOAD_KEYS,
    complete: ATTR_SEAMTRACE_PAYLOAD_COMPLETE,
    incompleteReason: ATTR_SEAMTRACE_PAYLOAD_INCOMPLETE_REASON,
    keyCount: ATTR_SEAMTRACE_PAYLOAD_KEY_COUNT,
    keysDigest: ATTR_SEAMTRACE_PAYLOAD_KEYS_DIGEST,
    stateRef: ATTR_SEAMTRACE_PAYLOAD_STATE_REF,
    valueDigests: ATTR_SEAMTRACE_PAYLOAD_VALUE_DIGESTS,
  },
  destination: {
    keys: ATTR_SEAMTRACE_DESTINATION_KEYS,
    complete: ATTR_SEAMTRACE_DESTINATION_COMPLETE,
    incompleteReason: ATTR_SEAMTRACE_DESTINATION_INCOMPLETE_REASON,
    keyCount: ATTR_SEAMTRACE_DESTINATION_KEY_COUNT,
    keysDigest: ATTR_SEAMTRACE_DESTINATION_KEYS_DIGEST,
    stateRef: ATTR_SEAMTRACE_DESTINATION_STATE_REF,
    valueDigests: ATTR_SEAMTRACE_DESTINATION_VALUE_DIGESTS,
  },
};

/** Evidence of one stage. `keys` stands first and `complete` last, so that a limit that cuts the list cuts `complete`. */
export function stageAttributes(stage: Stage, capture: StageCapture): Attributes {
  const names = STAGE_KEYS[stage];
  const { keys } = capture;
  return present({
    [names.keys]: list(keys.keys),
    [names.keyCount]: keys.keyCount,
    [names.keysDigest]: keys.keysDigest,
    [names.stateRef]: capture.stateRef,
    [names.valueDigests]: list(capture.valueDigests),
    [names.incompleteReason]: keys.incompleteReason,
    [names.complete]: keys.complete,
  });
}

/** The contract that a span's captures searched. Required and permitted are stated whenever a contract is known. */
export function contractAttributes(terms: ContractTerms | undefined): Attributes {
  if (terms === undefined) return {};
  return present({
    [ATTR_SEAMTRACE_CONTRACT_VERSION]: terms.version,
    [ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS]: list(terms.required),
    [ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS]: list(terms.permitted),
  });
}

/** Facts of payload and chain beside the key names. */
export function payloadAttributes(state: HandoffState): Attributes {
  return present({
    [ATTR_SEAMTRACE_PAYLOAD_CHANNEL]: state.payload?.channel,
    [ATTR_SEAMTRACE_PAYLOAD_SIZE]: state.payload?.size,
    [ATTR_SEAMTRACE_PAYLOAD_SIZE_BY]: state.payload?.sizeBy,
    [ATTR_SEAMTRACE_PAYLOAD_TEXT_SIZE]: state.payload?.textSize,
    [ATTR_SEAMTRACE_PAYLOAD_REFERENCES]: state.payload?.references,
    [ATTR_SEAMTRACE_GOAL_DIGEST]: state.goalDigest,
    [ATTR_SEAMTRACE_STATE_DIGEST]: state.stateDigest,
  });
}

/** Everything that the producer captured, as its own span states it and as a consumer restates it. */
export function carriedAttributes(state: HandoffState): Attributes {
  return {
    ...contractAttributes(state.contract),
    ...(state.sourceCapture === undefined ? {} : stageAttributes('source', state.sourceCapture)),
    ...(state.payloadCapture === undefined ? {} : stageAttributes('payload', state.payloadCapture)),
    ...payloadAttributes(state),
  };
}
