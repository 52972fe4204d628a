import { types } from 'node:util';
import type { PayloadChannel } from '@seamtrace/semconv';
import { captureStage, type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { unite } from '../../capture/unite.js';
import type { ContractTerms } from '../../handoff/state.js';
import { ownData } from '../../hooks/own-data.js';

// What carries keys from one agent to the next in the AI SDK: the contexts of a call (`experimental_context`; in version 7
// `runtimeContext` and `toolsContext`), its call options (`options`), and a prompt whose text is JSON or is, word for word,
// the value of one member of what the source had. Any other text proves presence only and is no carrier.

/** A text that was sent, and the members that the whole of it stands for. */
export interface SentText {
  readonly text: string;
  readonly record: object | undefined;
}

/** The carriers at one moment. */
export interface Carriers {
  /** State that the agents share. */
  readonly contexts: readonly unknown[];
  /** Members that travel with the call. */
  readonly members: readonly unknown[];
  readonly texts: readonly SentText[];
}

export interface CarrierReading {
  readonly capture: StageCapture;
  readonly channel: PayloadChannel;
}

/** Reads the carriers as they are now. */
export function readCarriers(
  { contexts, members, texts }: Carriers,
  terms: ContractTerms | undefined,
  secret: string | undefined,
): CarrierReading {
  const shared = contexts.filter(isThere).map((value) => captureRecord(value, terms, secret));
  const written = texts.flatMap(({ record }) => record ?? []);
  const sent = [...members.filter(isThere), ...written].map((value) => captureRecord(value, terms, secret));
  const channel: PayloadChannel = shared.some(holdsKeys)
    ? 'shared_state'
    : sent.some(holdsKeys) || written.length > 0
      ? 'envelope'
      : 'text';
  const empty = captureStage({}, terms, secret);
  const capture = [...shared, ...sent].reduce((all, each) => unite(all, each, terms), empty);
  return { capture, channel };
}

/** The evidence of a stage: what was read, made incomplete where a required key may have gone another way. */
export function stageEvidence(
  { capture, channel }: CarrierReading,
  terms: ContractTerms | undefined,
  ways: { readonly mayHold: (path: string) => boolean; readonly rewritten: boolean },
): StageCapture {
  if (channel === 'text') return unseenStage('unsupported');
  if (!capture.keys.complete) return capture;
  const missing = (terms?.required ?? []).filter((path) => !capture.keys.keys.includes(path));
  // Without terms nobody knows here which keys matter, so a text that nobody can read makes it uncertain.
  const uncertain = terms === undefined ? ways.rewritten : missing.some((path) => ways.rewritten || ways.mayHold(path));
  return uncertain
    ? { ...capture, keys: { ...capture.keys, complete: false, incompleteReason: 'unsupported' } }
    : capture;
}

/** What the whole of a text stands for: the object that it is the JSON of, or the one member that it is the value of. */
export function recordOfText(text: string, values: readonly unknown[]): object | undefined {
  for (const holder of values) {
    if (typeof holder !== 'object' || holder === null || types.isProxy(holder) || Array.isArray(holder)) continue;
    const name = Object.keys(holder).find((each) => ownData(holder, each) === text);
    if (name !== undefined && text !== '') return { [name]: text };
  }
  return jsonObject(text);
}

/** The object that a text is the JSON of. */
export function jsonObject(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function captureRecord(value: unknown, terms: ContractTerms | undefined, secret: string | undefined): StageCapture {
  // A text in the place of a context has no members that could be named.
  return typeof value === 'object' ? captureStage(value, terms, secret) : unseenStage('unsupported');
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Also where the capture could not look, as into a Proxy: the carrier is there, and the capture says the rest. */
function holdsKeys(capture: StageCapture): boolean {
  return capture.keys.keyCount > 0 || !capture.keys.complete;
}
