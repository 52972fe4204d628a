import { payloadSize } from '../capture/payload-size.js';
import { createReceived, type Handoff, type Received, stateBehind } from '../handoff/handle.js';
import { count, guarded, tally } from '../runtime/report.js';
import type { HandoffState } from '../handoff/state.js';
import { ownData } from '../hooks/own-data.js';
import { encodeHandoff } from './encode.js';
import { readCarriedObject } from './extract.js';
import { A2A_HANDOFF_KEY, MAX_CARRIED_BYTES, type MCP_HANDOFF_KEY } from './keys.js';

/** Where the object stands in a message that has metadata of its own. */
export type MetadataKey = typeof A2A_HANDOFF_KEY | typeof MCP_HANDOFF_KEY;

/**
 * Metadata with the handoff in it, as the same object that the header carries: `message.metadata` of A2A by default, an MCP
 * request's `params._meta` with {@link MCP_HANDOFF_KEY}. Returns a new object; what was in `metadata` stays. Unchanged
 * when the handoff is not one of this process or does not fit.
 */
export function withHandoffMetadata(
  handoff: Handoff | Received,
  metadata: Readonly<Record<string, unknown>> | undefined,
  key: MetadataKey = A2A_HANDOFF_KEY,
): Record<string, unknown> {
  const given: Record<string, unknown> = metadata ?? {};
  return guarded(
    'carrying a handoff in metadata',
    () => {
      const behind = stateBehind(handoff);
      const carried = behind === undefined ? undefined : encodeHandoff(behind.state);
      return carried === undefined ? { ...given } : { ...given, [key]: carried };
    },
    given,
  );
}

/** The handoff that metadata carries; `undefined` when there is none that can be used, which is counted. */
export function receivedFromMetadata(metadata: unknown, key: MetadataKey = A2A_HANDOFF_KEY): Received | undefined {
  return guarded(
    'reading a handoff from metadata',
    () => {
      const state = carriedIn(metadata, key);
      return state === undefined ? undefined : createReceived(state);
    },
    undefined,
  );
}

/** The same as the state that a hook works with. */
export function carriedIn(metadata: unknown, key: MetadataKey): HandoffState | undefined {
  const carried = ownData(metadata, key);
  if (carried === undefined) {
    tally('header_absent', `a message came without ${key}; only the destination can speak for it`);
    return undefined;
  }
  const bytes = payloadSize(carried);
  if (bytes !== undefined && bytes > MAX_CARRIED_BYTES) {
    count('header_too_long', `${key} has ${bytes} bytes, and may have ${MAX_CARRIED_BYTES}`);
    return undefined;
  }
  // What has no size is no JSON that a sender could have written: a Proxy, an accessor, a cycle.
  return readCarriedObject(bytes === undefined ? undefined : carried);
}
