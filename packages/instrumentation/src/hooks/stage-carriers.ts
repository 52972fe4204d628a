import { namesOfPath } from '../capture/other-ways.js';
import type { PayloadChannel } from '@seamtrace/semconv';
import { createMemberNames, type MemberNames } from '../capture/member-names.js';
import { captureStage, type StageCapture, unseenStage } from '../capture/stage-capture.js';
import { unite } from '../capture/unite.js';
import type { ContractTerms } from '../handoff/state.js';

// Most frameworks let keys go from one agent to the next in a state that both share, and in messages that are objects or
// JSON. What these are is each framework's own; how a stage is read from them is the same.

/** The carriers of one stage as they are now. */
export interface Carriers {
  /** What the agents share. */
  readonly state: unknown;
  /** Objects, or texts that count where they are JSON objects. */
  readonly envelopes?: readonly unknown[] | undefined;
}

export interface CarrierReading {
  readonly capture: StageCapture;
  readonly channel: PayloadChannel;
}

/** Reads all carriers as they are now. */
export function readCarriers(
  { state, envelopes = [] }: Carriers,
  terms: ContractTerms | undefined,
  secret: string | undefined,
): CarrierReading {
  const shared =
    state === undefined || state === null
      ? undefined
      : isObject(state)
        ? captureStage(state, terms, secret)
        : unseenStage('unsupported');
  const messages = envelopes
    .filter(isEnvelope)
    // The state record is what is shared; a member of a message with the same name is not it.
    .map((each) => ({ ...captureStage(each, terms, secret), stateRef: undefined }));
  const channel = holdsKeys(shared) ? 'shared_state' : messages.some(holdsKeys) ? 'envelope' : 'text';
  const captures = shared === undefined ? messages : [shared, ...messages];
  const capture =
    captures.length === 0 ? captureStage({}, terms, secret) : captures.reduce((a, b) => unite(a, b, terms));
  return { capture, channel };
}

export interface StageFacts {
  /** A handoff that never had a carrier moves text only. */
  readonly channel: PayloadChannel;
  /** Besides the carriers, what a model was or is given to read. Read only when a required key is not in a carrier. */
  readonly readable: () => readonly unknown[];
}

/** The evidence of a stage: what was read, made incomplete where a required key may have gone another way. */
export function stageEvidence(
  { keys, ...rest }: StageCapture,
  terms: ContractTerms | undefined,
  { channel, readable }: StageFacts,
): StageCapture {
  if (channel === 'text') return unseenStage('unsupported');
  if (!keys.complete || !seenElsewhere(keys.keys, terms, readable)) return { keys, ...rest };
  return { keys: { ...keys, complete: false, incompleteReason: 'unsupported' }, ...rest };
}

/** Whether a required key that no carrier holds stands in what a model reads besides: it may be passed on from there. */
function seenElsewhere(
  keys: readonly string[],
  terms: ContractTerms | undefined,
  readable: () => readonly unknown[],
): boolean {
  let names: MemberNames | undefined;
  return (terms?.required ?? []).some((path) => {
    if (keys.includes(path)) return false;
    const members = namesOfPath(path);
    if (members.length === 0) return false;
    if (names === undefined) {
      names = createMemberNames();
      for (const each of readable()) names.read(each);
    }
    return names.mention(members);
  });
}

function isEnvelope(value: unknown): boolean {
  if (typeof value === 'string') return /^[\s\uFEFF]*\{/.test(value) && isJsonObject(value);
  return isObject(value) && !Array.isArray(value);
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return false;
  }
}

/** Also where the capture could not look, as into a Proxy: the carrier is there, and the capture says the rest. */
function holdsKeys(capture: StageCapture | undefined): boolean {
  return capture !== undefined && (capture.keys.keyCount > 0 || !capture.keys.complete);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
