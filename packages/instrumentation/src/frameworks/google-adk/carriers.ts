import { types } from 'node:util';
import { parseKeyPath } from '@seamtrace/contracts';
import type { PayloadChannel } from '@seamtrace/semconv';
import { createMemberNames, type MemberNames } from '../../capture/member-names.js';
import { captureStage, type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { unite } from '../../capture/unite.js';
import type { ContractTerms } from '../../handoff/state.js';
import { ownData } from '../../hooks/own-data.js';

// What carries keys from one agent to the next in this framework: (a) the state of the session, which all agents of an
// invocation share and an `AgentTool` copies; (b) the arguments of the call by which the model hands over; (c) a message
// of the user, or of the agent that delegates, that is a JSON object; (d) what a delegate's tool call gives back. Names
// of (a) with one of the framework's scopes before them stand for the key without it. Prose carries no keys.

/** The carriers of one stage as they are now. */
export interface Carriers {
  readonly state: unknown;
  /** Objects, or texts that count where they are JSON objects. */
  readonly envelopes?: readonly unknown[] | undefined;
}

export interface CarrierReading {
  readonly capture: StageCapture;
  readonly channel: PayloadChannel;
}

const SCOPE = /^(?:app|user|temp):(?=.)/;

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
        ? captureStage(withoutScopes(state), terms, secret)
        : unseenStage('unsupported');
  const messages = envelopes
    .filter(isEnvelope)
    // The state record is the session's; a member of a message with the same name is not it.
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
    const parsed = parseKeyPath(path);
    if (!parsed.ok) return false;
    if (names === undefined) {
      names = createMemberNames();
      for (const each of readable()) names.read(each);
    }
    return names.mention(parsed.steps.flatMap((step) => ('name' in step ? [step.name] : [])));
  });
}

/** The widest channel of two stages. */
export function widest(a: PayloadChannel | undefined, b: PayloadChannel): PayloadChannel {
  const order: readonly (PayloadChannel | undefined)[] = ['shared_state', 'envelope', 'text'];
  return order.find((channel) => channel === a || channel === b) ?? b;
}

/** The members of an object but some, without running an accessor. */
export function without(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value) || types.isProxy(value) || Array.isArray(value)) return value;
  const members = Object.getOwnPropertyDescriptors(value) as PropertyDescriptorMap;
  return Object.create(
    Object.prototype,
    Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name))),
  );
}

/** A state in which `user:locale` is `locale`, unless there is one. The state itself where no name has a scope. */
function withoutScopes(state: object): object {
  if (types.isProxy(state)) return state;
  const names = Object.keys(state);
  if (!names.some((name) => SCOPE.test(name))) return state;
  const view = Object.create(
    Object.getPrototypeOf(state) as object | null,
    Object.getOwnPropertyDescriptors(state),
  ) as object;
  for (const name of names) {
    if (!SCOPE.test(name)) continue;
    const member = Object.getOwnPropertyDescriptor(state, name) as PropertyDescriptor;
    const bare = name.replace(SCOPE, '');
    // A member without a value is none, and does not stand before one that has.
    if (ownData(view, bare) === undefined) Object.defineProperty(view, bare, { ...member, configurable: true });
    delete (view as Record<string, unknown>)[name];
  }
  return view;
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
