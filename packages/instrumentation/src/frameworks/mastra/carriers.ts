import { types } from 'node:util';
import type { PayloadChannel } from '@seamtrace/semconv';
import { captureStage, type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { namesOfPath } from '../../capture/other-ways.js';
import { unite } from '../../capture/unite.js';
import type { ContractTerms } from '../../handoff/state.js';
import { requestMembers } from './request-context.js';

// What carries keys from one agent to the next in Mastra: members of the request context, and members of the delegation
// call's arguments. Mastra's own members of a call (`prompt`, `instructions`, …) and the messages that go with it count
// where the contract names them; what stands in their text proves presence only and is no carrier.

/** Arguments of a delegation tool that are Mastra's own. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'prompt',
  'instructions',
  'maxSteps',
  'threadId',
  'resourceId',
  'contextFromRefs',
  'messages',
  'resumeData',
  'suspendedToolRunId',
  'suspendedToolCallId',
]);

/** The carriers at one moment. */
export interface Carriers {
  readonly requestContext: unknown;
  /** Members that travel with the call; an object, or what the model wrote in place of one. */
  readonly call: unknown;
}

export interface CarrierReading {
  readonly capture: StageCapture;
  readonly channel: PayloadChannel;
}

/** Reads the carriers as they are now. */
export function readCarriers(
  { requestContext, call }: Carriers,
  terms: ContractTerms | undefined,
  secret: string | undefined,
): CarrierReading {
  const members = requestMembers(requestContext);
  const shared = members === 'unreadable' ? unseenStage('unsupported') : captureStage(members ?? {}, terms, secret);
  const sent = captureStage(callMembers(call, terms), terms, secret);
  const channel = holdsKeys(shared) ? 'shared_state' : holdsKeys(sent) ? 'envelope' : 'text';
  // The state record is the request context's; a member of the call with the same name is not it.
  return { capture: unite(shared, { ...sent, stateRef: undefined }, terms), channel };
}

/** The call's members that count: all but Mastra's own, unless the contract names one. Accessors stay accessors. */
function callMembers(call: unknown, terms: ContractTerms | undefined): unknown {
  if (typeof call !== 'object' || call === null) return {};
  if (types.isProxy(call) || Array.isArray(call)) return call;
  const members = Object.create(null) as object;
  for (const name of Object.keys(call)) {
    const member = Object.getOwnPropertyDescriptor(call, name);
    if (member === undefined || (OWN_MEMBERS.has(name) && !isNamed(name, terms))) continue;
    Object.defineProperty(members, name, member);
  }
  return members;
}

function isNamed(name: string, terms: ContractTerms | undefined): boolean {
  return (terms?.paths ?? []).some((path) => namesOfPath(path)[0] === name);
}

/** How keys may have travelled otherwise than by the carriers. */
export interface OtherWays {
  /** Whether a key that no carrier holds may have gone another way. */
  readonly mayHold: (path: string) => boolean;
  /** Something was rewritten on the way, so that what is not in the carriers is not known to be lost. */
  readonly rewritten: boolean;
}

/** The evidence of a stage: what was read, made incomplete where a required key may have gone another way. */
export function stageEvidence(
  { capture, channel }: CarrierReading,
  terms: ContractTerms | undefined,
  { mayHold, rewritten }: OtherWays,
): StageCapture {
  if (channel === 'text') return unseenStage('unsupported');
  if (!capture.keys.complete) return capture;
  const missing = (terms?.required ?? []).filter((path) => !capture.keys.keys.includes(path));
  // Without terms nobody knows here which keys matter, so a rewriting alone makes it uncertain.
  const uncertain = terms === undefined ? rewritten : missing.some((path) => rewritten || mayHold(path));
  if (!uncertain) return capture;
  return { ...capture, keys: { ...capture.keys, complete: false, incompleteReason: 'unsupported' } };
}

/** Also where the capture could not look, as into a Proxy: the carrier is there, and the capture says the rest. */
function holdsKeys(capture: StageCapture): boolean {
  return capture.keys.keyCount > 0 || !capture.keys.complete;
}
