import { ATTR_GEN_AI_AGENT_NAME } from '@seamtrace/semconv';
import type { DecodedSpan } from '../decode/types.js';
import { WANTED_PREFIX } from '../decode/wanted.js';
import { foldName } from './fold-name.js';
import { recordOf } from './handoff.js';
import { readIdentity } from './identity.js';
import { nodeOf, runOf } from './place.js';
import { readString } from './read.js';
import { toolOf } from './tool.js';
import type { Evidence, ExtractResult, HandoffRecord } from './types.js';

/**
 * What a span contributes to handoffs. `evidence` is `undefined` for a span with nothing of ours on it: where such a
 * span stands in its trace is told by the outline of its request. Fails only for a
 * handoff id that is not one: everything else of a wrong type is evidence that reads as incomplete
 * (wire contract, section 5).
 */
export function extractEvidence(span: DecodedSpan): ExtractResult {
  const identity = readIdentity(span);
  if (typeof identity === 'string') return { ok: false, reason: identity };
  const handoff = identity === undefined ? undefined : recordOf(span, identity);
  const speakers = speakersOf(span, handoff);
  if (handoff === undefined && !speaksOurs(span)) return { ok: true, evidence: undefined };
  const node = nodeOf(span, identity, handoff);
  return { ok: true, evidence: { handoff, tool: toolOf(span), node, run: runOf(span, node), speakers } };
}

/** Agents whose own span this is. A name that a span only mentions proves nothing about that agent. */
function speakersOf(span: DecodedSpan, handoff: HandoffRecord | undefined): Evidence['speakers'] {
  const names: string[] = [];
  if (handoff?.sides.producer.speaks === true) names.push(...(handoff.facts.source?.values ?? []));
  if (handoff?.sides.consumer.speaks === true) names.push(...(handoff.facts.destination?.values ?? []));
  const own = readString(span, ATTR_GEN_AI_AGENT_NAME);
  if (own !== undefined && speaksOurs(span)) names.push(own);
  return [...new Set(names.map(foldName))];
}

function speaksOurs(span: DecodedSpan): boolean {
  for (const key of span.attributes.keys()) if (key.startsWith(WANTED_PREFIX)) return true;
  return false;
}
