// Generated from packages/semconv/registry by `npm run generate`. Change the registry, not this file.

import {
  ATTR_SEAMTRACE_SOURCE_KEYS,
  ATTR_SEAMTRACE_SOURCE_COMPLETE,
  ATTR_SEAMTRACE_SOURCE_INCOMPLETE_REASON,
  ATTR_SEAMTRACE_SOURCE_KEY_COUNT,
  ATTR_SEAMTRACE_SOURCE_KEYS_DIGEST,
  ATTR_SEAMTRACE_SOURCE_STATE_REF,
  ATTR_SEAMTRACE_SOURCE_VALUE_DIGESTS,
  ATTR_SEAMTRACE_PAYLOAD_KEYS,
  ATTR_SEAMTRACE_PAYLOAD_COMPLETE,
  ATTR_SEAMTRACE_PAYLOAD_INCOMPLETE_REASON,
  ATTR_SEAMTRACE_PAYLOAD_KEY_COUNT,
  ATTR_SEAMTRACE_PAYLOAD_KEYS_DIGEST,
  ATTR_SEAMTRACE_PAYLOAD_STATE_REF,
  ATTR_SEAMTRACE_PAYLOAD_VALUE_DIGESTS,
  ATTR_SEAMTRACE_DESTINATION_KEYS,
  ATTR_SEAMTRACE_DESTINATION_COMPLETE,
  ATTR_SEAMTRACE_DESTINATION_INCOMPLETE_REASON,
  ATTR_SEAMTRACE_DESTINATION_KEY_COUNT,
  ATTR_SEAMTRACE_DESTINATION_KEYS_DIGEST,
  ATTR_SEAMTRACE_DESTINATION_STATE_REF,
  ATTR_SEAMTRACE_DESTINATION_VALUE_DIGESTS,
} from './attributes.js';

/** The three places at which context is observed on its way (wire contract, section 3), in the order of its way. */
export const STAGES = ['source', 'payload', 'destination'] as const;

/** One of {@link STAGES}. */
export type Stage = (typeof STAGES)[number];

/** The attribute keys of the evidence of one stage. */
export interface StageKeys {
  readonly keys: string;
  readonly complete: string;
  readonly incompleteReason: string;
  readonly keyCount: string;
  readonly keysDigest: string;
  readonly stateRef: string;
  readonly valueDigests: string;
}

/** The attribute keys of each stage. */
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
