import type { Evidence } from '../../evidence/types.js';
import { foldName } from '../../evidence/fold-name.js';

/** The agents that a span of ours speaks for or names, in the form of `foldName`: what they hand over is told of by us. */
export function namesIn({ handoff, node, speakers }: Evidence): readonly string[] {
  const { source, target, destination, destinationAgent } = handoff?.facts ?? {};
  const stated = [source, target, destination, destinationAgent].flatMap((fact) => fact?.values ?? []);
  const own = node?.agent === undefined ? [] : [node.agent];
  return [...speakers, ...[...stated, ...own].map(foldName)];
}
