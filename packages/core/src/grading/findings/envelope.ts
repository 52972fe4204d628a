import { numericFact, payloadBytes } from '../subject.js';
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
