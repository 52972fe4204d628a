import { namesOfPath } from '../../capture/other-ways.js';
import type { PayloadChannel } from '@seamtrace/semconv';
import { captureStage, type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { withTools } from '../../capture/tools-kept.js';
import { unite } from '../../capture/unite.js';
import type { ContractTerms } from '../../handoff/state.js';
import type { SeenByModel } from './transcript.js';

// What can carry keys from one agent to the next in this SDK: members of `runContext.context`, and members of the
// handoff call's JSON arguments. Transcript text is no carrier.

/** The carriers at one moment. */
export interface Carriers {
  readonly context: unknown;
  /** The arguments of the handoff call; `undefined` where the call is gone. */
  readonly args: string | undefined;
  /** Tools of the agent that takes over, as far as they are known. */
  readonly tools: readonly string[] | undefined;
}

export interface CarrierReading {
  readonly capture: StageCapture;
  readonly channel: PayloadChannel;
}

/** Reads both carriers as they are now. */
export function readCarriers(
  { context, args, tools }: Carriers,
  terms: ContractTerms | undefined,
  secret: string | undefined,
): CarrierReading {
  const shared = isObject(context)
    ? captureStage(context, terms, secret, null)
    : mayHoldKeys(context)
      ? unseenStage('unsupported')
      : undefined;
  const call =
    args === undefined || args.trim() === ''
      ? undefined
      : captureStage(isMemberless(args) ? {} : args, terms, secret, null);
  const channel = holdsKeys(shared) ? 'shared_state' : holdsKeys(call) ? 'envelope' : 'text';
  // The state record is the context's; a member of the call with the same name is not it.
  const united =
    shared === undefined || call === undefined
      ? (shared ?? call ?? captureStage({}, terms, secret, null))
      : unite(shared, { ...call, stateRef: undefined }, terms);
  return { capture: { ...united, keys: withTools(united.keys, terms, tools) }, channel };
}

export interface StageFacts {
  /** A carrier that was emptied on the way is still one; a handoff that never had any moves text only. */
  readonly channel: PayloadChannel;
  /** Keys may have gone where they cannot be seen, such as into a message that a filter wrote. */
  readonly hidden: boolean;
  readonly seenByModel: SeenByModel;
  /** Whether a key may have gone another way than by the carriers; where that can be asked. */
  readonly mayHold?: ((path: string) => boolean) | undefined;
}

/** The evidence of a stage: what was read, made incomplete where keys may have gone another way. */
export function stageEvidence(
  capture: StageCapture,
  terms: ContractTerms | undefined,
  { channel, hidden, seenByModel, mayHold }: StageFacts,
): StageCapture {
  if (channel === 'text') return unseenStage('unsupported');
  if (!capture.keys.complete) return capture;
  const elsewhere = (path: string): boolean => mayHold?.(path) === true;
  if (!hidden && !seenElsewhere(capture, terms, seenByModel) && !lacking(capture, terms).some(elsewhere))
    return capture;
  return { ...capture, keys: { ...capture.keys, complete: false, incompleteReason: 'unsupported' } };
}

/** Whether a required key that no carrier holds stood in what a model was given besides: it may have passed it on. */
function seenElsewhere({ keys }: StageCapture, terms: ContractTerms | undefined, seen: SeenByModel): boolean {
  return lacking({ keys }, terms).some((path) => {
    const members = namesOfPath(path);
    if (members.length === 0) return false;
    return seen.mention(members);
  });
}

function lacking({ keys }: Pick<StageCapture, 'keys'>, terms: ContractTerms | undefined): readonly string[] {
  return (terms?.required ?? []).filter((path) => !keys.keys.includes(path));
}

/** Also where the capture could not look, as into a Proxy: the carrier is there, and the capture says the rest. */
function holdsKeys(capture: StageCapture | undefined): boolean {
  return capture !== undefined && (capture.keys.keyCount > 0 || !capture.keys.complete);
}

/** A context that can have members, and not in a way that can be read as one: a function, or JSON as text. */
function mayHoldKeys(context: unknown): boolean {
  return typeof context === 'function' || (typeof context === 'string' && /^[\s\uFEFF]*["[{]/.test(context));
}

/** JSON that has no members: a number, a flag, `null`, a text that is not JSON itself, an empty list. */
function isMemberless(args: string): boolean {
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value === 'string') return !/["[{]/.test(value);
    return Array.isArray(value) ? value.length === 0 : !isObject(value);
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
