import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_VERSION,
  ATTR_SEAMTRACE_GOAL_DIGEST,
  ATTR_SEAMTRACE_PAYLOAD_CHANNEL,
  ATTR_SEAMTRACE_PAYLOAD_REFERENCES,
  ATTR_SEAMTRACE_PAYLOAD_SIZE,
  ATTR_SEAMTRACE_PAYLOAD_SIZE_BY,
  ATTR_SEAMTRACE_PAYLOAD_TEXT_SIZE,
  ATTR_SEAMTRACE_STATE_DIGEST,
  STAGE_KEYS,
  type Stage,
} from '@seamtrace/semconv';
import type { StageCapture } from '../capture/stage-capture.js';
import type { ContractTerms, HandoffState } from '../handoff/state.js';
import { list, present } from './identity.js';

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
