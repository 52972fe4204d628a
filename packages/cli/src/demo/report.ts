import { formatTable, writeOutControls } from '../table.js';
import type { ServedVerdict } from './analyzer-process.js';
import type { Conversation } from './app-process.js';
import type { StateRefLog } from './state-refs.js';

const HEADER = ['conversation', 'handoff', 'verdict', 'boundary', 'missing keys', 'owner'];

/** The table of the demo, in the order of the conversations, and what the state records of each handoff tell. */
export function demoReport(
  conversations: readonly Conversation[],
  verdicts: readonly ServedVerdict[],
  stateRefs: StateRefLog,
): string {
  const rows = conversations.map(({ id, from, to }) => {
    const verdict = verdicts.find(({ source, target }) => source === from && target === to);
    if (verdict === undefined) return [id, `${from} → ${to}`, 'none yet', '', '', ''];
    return [
      id,
      handoffOf(verdict),
      verdictOf(verdict),
      verdict.boundary,
      verdict.missing_keys.join(', '),
      verdict.owner ?? '',
    ];
  });
  const notes = conversations.flatMap(({ id, from, to }) => {
    const verdict = verdicts.find(({ source, target }) => source === from && target === to);
    const refs = verdict === undefined ? undefined : stateRefs.of(verdict.handoff_id);
    if (refs?.source === undefined || refs.destination === undefined || refs.source === refs.destination) return [];
    return [
      `${id}: ${from} handed over state record ${short(refs.source)}, ` +
        `${to} worked on ${short(refs.destination)}: a lookup under the wrong id.\n`,
    ];
  });
  return [formatTable(HEADER, rows), ...notes].join('\n');
}

/** One line for a verdict that comes after the table: what the table has, and the handoff's id to look for in a trace. */
export function verdictReport(verdict: ServedVerdict): string {
  const { handoff_id, route, boundary, missing_keys, owner, revision } = verdict;
  const parts = [
    `${handoffOf(verdict)}: ${verdictOf(verdict)} at ${boundary}`,
    ...(missing_keys.length > 0 ? [`missing ${missing_keys.join(', ')}`] : []),
    ...(owner === null ? [] : [`owner ${owner}`]),
    ...(route === null ? ['route not in the contract file'] : []),
    `handoff ${handoff_id}`,
    ...(revision > 1 ? [`revision ${revision}`] : []),
  ];
  return `${writeOutControls(parts.join('; '))}\n`;
}

function handoffOf({ source, target, destination }: ServedVerdict): string {
  const took = destination === null || destination === target ? '' : ` ⇒ ${destination}`;
  return `${source ?? '?'} → ${target ?? '?'}${took}`;
}

function verdictOf({ verdict, reason }: ServedVerdict): string {
  return reason === null ? verdict : `${verdict} (${reason})`;
}

/** Enough of a keyed digest, such as `hmac-sha256:<key id>:<hex>`, to tell two apart. */
function short(digest: string): string {
  return digest.replace(/([0-9a-f]{12})[0-9a-f]+$/, '$1…');
}
