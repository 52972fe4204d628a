import type { ForeignRow } from '../../decode/outline.js';
import type { ForeignSign } from '../../evidence/dialects/types.js';
import { nodeDepth, pathUpTo, segmentsOf } from '../../evidence/dialects/langgraph.js';
import { agentKey } from './names.js';
import type { ForeignTrace } from './trace.js';

/** A span that says something, in the tree of those that do. */
export interface Spot {
  readonly id: string;
  readonly row: ForeignRow;
  readonly sign: ForeignSign;
  /** The nearest span above that says something too. */
  readonly above: Spot | undefined;
  /** An agent's run. */
  isRun: boolean;
  /** The nearest run above, and the outermost call of a tool between. */
  run: Spot | undefined;
  call: Spot | undefined;
}

/** The tree of what speaks in a trace, with its runs found. Order of the spots is that of ids. */
export function spotsOf(trace: ForeignTrace): readonly Spot[] {
  const spots = placeAll(trace);
  const targets = new Set<string>();
  for (const { sign } of spots) if (sign.target !== undefined) targets.add(agentKey(sign.target));
  const holding = prefixesOf(trace.places);
  for (const spot of spots) spot.isRun = spot.sign.role === 'run' || isAgentNode(spot.sign, targets, holding);
  for (const spot of spots) if (spot.sign.role === 'ask') markAsking(spot);
  setOwners(spots);
  if (dropContainers(spots)) setOwners(spots);
  return spots;
}

function placeAll({ parents, signs }: ForeignTrace): Spot[] {
  const spots = new Map<string, Spot>();
  const near = new Map<string, string>();
  const nearest = (from: string): string => {
    const way: string[] = [];
    const seen = new Set<string>();
    let at = parents.get(from) ?? '';
    while (at !== '' && !signs.has(at) && !near.has(at) && !seen.has(at)) {
      way.push(at);
      seen.add(at);
      at = parents.get(at) ?? '';
    }
    const found = seen.has(at) ? '' : signs.has(at) ? at : (near.get(at) ?? '');
    for (const each of way) near.set(each, found);
    return found;
  };
  const place = (first: string): void => {
    const stack = [first];
    const under = new Set<string>();
    while (stack.length > 0) {
      const id = stack.at(-1) as string;
      const row = signs.get(id);
      const above = nearest(id);
      // Spans that stand in each other stand nowhere.
      if (above !== '' && !spots.has(above) && !under.has(above) && above !== id) {
        under.add(id);
        stack.push(above);
        continue;
      }
      stack.pop();
      if (row === undefined || spots.has(id)) continue;
      const spot = { id, row, sign: row.sign, above: spots.get(above), isRun: false, run: undefined, call: undefined };
      spots.set(id, spot);
    }
  };
  for (const id of [...signs.keys()].sort()) place(id);
  return [...spots.values()];
}

/** Every place that another one goes on from: the node there holds a graph of its own. */
function prefixesOf(places: Iterable<string>): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (const place of places) {
    const depth = segmentsOf(place).length;
    for (let at = 0; at < depth - 1; at += 1) prefixes.add(pathUpTo(place, at));
  }
  return prefixes;
}

/** A node that holds a graph, or to which control is handed, is an agent; any other is a step of the app's. */
function isAgentNode(sign: ForeignSign, targets: ReadonlySet<string>, holding: ReadonlySet<string>): boolean {
  const { role, agent, place } = sign;
  if (role !== 'node' || agent === undefined || place === undefined) return false;
  const depth = nodeDepth(place, agent);
  const holds = segmentsOf(place).length - 1 > depth || holding.has(pathUpTo(place, depth));
  return holds || targets.has(agentKey(agent));
}

/** The node from which a handoff is requested is an agent too. */
function markAsking({ above }: Spot): void {
  for (let at = above; at !== undefined && !at.isRun; at = at.above) {
    if (at.sign.role === 'node') at.isRun = true;
  }
}

/** Those above come first in the list of spots. */
function setOwners(spots: readonly Spot[]): void {
  for (const spot of spots) {
    const { above } = spot;
    spot.run = above === undefined || above.isRun ? above : above.run;
    const inCall = above !== undefined && !above.isRun ? (above.call ?? callAt(above)) : undefined;
    spot.call = inCall;
  }
}

function callAt(spot: Spot): Spot | undefined {
  return spot.sign.role === 'tool' || spot.sign.role === 'ask' ? spot : undefined;
}

/** A span of an agent's kind without an agent's name that only holds the runs of others is a frame around them. */
function dropContainers(spots: readonly Spot[]): boolean {
  const working = new Set<Spot>();
  const holding = new Set<Spot>();
  for (const { isRun, run, sign } of spots) {
    if (run === undefined) continue;
    if (isRun) holding.add(run);
    else if (sign.role !== 'node') working.add(run);
  }
  let dropped = false;
  for (const spot of spots) {
    if (spot.sign.weak !== true || working.has(spot) || !holding.has(spot)) continue;
    spot.isRun = false;
    dropped = true;
  }
  return dropped;
}
