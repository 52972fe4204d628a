import type { PayloadChannel } from '@seamtrace/semconv';
import { captureStage, type StageCapture, unseenStage } from '../capture/stage-capture.js';
import { unite } from '../capture/unite.js';
import type { ContractTerms } from '../handoff/state.js';

/** What one message between processes holds, whatever its protocol calls it. */
export interface MessageContents {
  /** Objects, or JSON texts of objects, whose member names are keys: data parts, metadata, arguments. */
  readonly records: readonly unknown[];
  /** It also holds prose, a file or a bare list, in which a key may travel without its name. */
  readonly opaque: boolean;
  /** UTF-8 bytes as serialized; `undefined` where it cannot be known cheaply. */
  readonly size?: number | undefined;
  /** Of these, bytes of text. */
  readonly textSize?: number | undefined;
  /** How many files it refers to. */
  readonly references?: number | undefined;
}

/** One stage as a message shows it. */
export interface ContentsReading {
  readonly capture: StageCapture;
  readonly channel: PayloadChannel;
}

/**
 * Captures what a message carries, by the terms of one contract. Text alone proves presence only. Beside records it proves
 * nothing missing: where a required key is in none of them it may stand in the text, so the capture is incomplete.
 */
export function captureContents(
  { records, opaque }: MessageContents,
  terms: ContractTerms | undefined,
  secret: string | undefined,
): ContentsReading {
  const [first, ...others] = records;
  if (first === undefined && opaque) return { capture: unseenStage('unsupported'), channel: 'text' };
  const whole = others.reduce<StageCapture>(
    (united, record) => unite(united, captureStage(record, terms, secret), terms),
    captureStage(first ?? {}, terms, secret),
  );
  if (!opaque || !whole.keys.complete || (terms !== undefined && !lacksRequired(whole, terms))) {
    return { capture: whole, channel: 'envelope' };
  }
  const capture = { ...whole, keys: { ...whole.keys, complete: false, incompleteReason: 'unsupported' as const } };
  return { capture, channel: 'envelope' };
}

/** Whether a required key is not among the names seen. */
export function lacksRequired({ keys }: StageCapture, { required }: ContractTerms): boolean {
  const seen = new Set(keys.keys);
  return required.some((key) => !seen.has(key));
}
