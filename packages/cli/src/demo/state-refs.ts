import {
  ATTR_SEAMTRACE_DESTINATION_STATE_REF,
  ATTR_SEAMTRACE_HANDOFF_ID,
  ATTR_SEAMTRACE_SOURCE_STATE_REF,
} from '@seamtrace/semconv';
import type { DecodedSpan } from '@seamtrace/core';

/** Keyed digests of the state record that each side used; equal digests mean the same record. */
interface StateRefs {
  readonly source: string | undefined;
  readonly destination: string | undefined;
}

export interface StateRefLog {
  readonly add: (spans: readonly DecodedSpan[]) => void;
  readonly of: (handoffId: string) => StateRefs;
}

/** Notes, of every handoff, which state record its two sides say they used. */
export function createStateRefLog(): StateRefLog {
  const source = new Map<string, string>();
  const destination = new Map<string, string>();
  const note = (into: Map<string, string>, id: string, value: unknown): void => {
    if (typeof value === 'string') into.set(id, value);
  };
  return {
    add: (spans) => {
      for (const { attributes } of spans) {
        const id = attributes.get(ATTR_SEAMTRACE_HANDOFF_ID);
        if (typeof id !== 'string') continue;
        note(source, id, attributes.get(ATTR_SEAMTRACE_SOURCE_STATE_REF));
        note(destination, id, attributes.get(ATTR_SEAMTRACE_DESTINATION_STATE_REF));
      }
    },
    of: (handoffId) => ({ source: source.get(handoffId), destination: destination.get(handoffId) }),
  };
}
