import { type TaskHop, hopNumber } from '../../tasks/hop.js';
import { numericFact, payloadBytes } from '../subject.js';
import { inTask } from './whole-task.js';
import type { FindingPass } from './types.js';

/** Most of the payload is transcript. */
export const contextDump: FindingPass = ({ subject: { record }, thresholds }) => {
  const size = payloadBytes(record);
  const textSize = numericFact(record, 'payloadTextSize');
  if (size === undefined || textSize === undefined || size < thresholds.contextDumpMinBytes) return undefined;
  const share = textSize / size;
  return share > thresholds.contextDumpShare ? { id: 'context_dump', detail: { bytes: size, share } } : undefined;
};

/** A large payload that references nothing carries its artefacts inside itself. */
export const inlinedContent: FindingPass = ({ subject: { record }, thresholds }) => {
  const size = payloadBytes(record);
  if (size === undefined || numericFact(record, 'payloadReferences') !== 0) return undefined;
  return size > thresholds.inlinedContentBytes ? { id: 'inlined_content', detail: { bytes: size } } : undefined;
};

/** The envelope rose at each of the last hops of the path, and by more than references take. */
export const envelopeGrowth: FindingPass = (input) => {
  const task = inTask(input);
  if (task === undefined) return undefined;
  const { envelopeGrowthHops: hops, envelopeGrowthBytesPerHop: threshold } = input.thresholds;
  const path = [task.hop, ...task.chain.before.map((attempts) => attempts.at(-1)!)].slice(0, hops);
  const sizes = sizesOf(path, 'payloadSize') ?? sizesOf(path, 'payloadSizeByDestination');
  if (path.length < hops || sizes === undefined) return undefined;
  if (sizes.some((size, index) => index > 0 && size >= sizes[index - 1]!)) return undefined;
  const perHop = (sizes[0]! - sizes.at(-1)!) / (sizes.length - 1);
  if (perHop <= threshold) return undefined;
  return { id: 'envelope_growth', detail: { bytes: sizes.toReversed(), bytes_per_hop: Math.round(perHop) } };
};

/** One party's measure on every hop: the sender's and the destination's are not the same. Nearest first. */
function sizesOf(
  path: readonly TaskHop[],
  by: 'payloadSize' | 'payloadSizeByDestination',
): readonly number[] | undefined {
  const sizes = path.map((hop) => hopNumber(hop, by)).filter((size) => size !== undefined);
  return sizes.length === path.length ? sizes : undefined;
}
