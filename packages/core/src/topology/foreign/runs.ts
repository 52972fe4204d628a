import { byCodeUnit } from '../../evidence/distinct.js';
import { agentInToolName } from '../../evidence/dialects/transfer.js';
import { compareNanos } from '../../evidence/spans.js';
import { agentKey } from './names.js';
import type { Spot } from './spots.js';

/** One run of an agent, under all spans that tell of it. */
export interface AgentRun {
  readonly spot: Spot;
  /** As its span has it; `undefined` for a run without a name. */
  readonly agent: string | undefined;
  readonly key: string | undefined;
  /** The run around it, and the call of a tool between. */
  readonly outer: AgentRun | undefined;
  readonly call: Spot | undefined;
  /** Runs of one scene stand beside each other: in one run and one call. */
  readonly scene: string;
  readonly depth: number;
  /** Start, and the end of the last thing that happened in it: some instrumentations end a run before what it does. */
  readonly start: string;
  end: string;
  readonly receivedFrom: string | undefined;
  readonly asks: readonly string[];
}

export interface Runs {
  /** By start; those around others before them. */
  readonly runs: readonly AgentRun[];
  /** The run that a span belongs to, if it is one of an agent. */
  of(spot: Spot | undefined): AgentRun | undefined;
}

/** Joins the spans of each run: a graph inside a node, a second instrumentation's view of the same, a call within. */
export function runsOf(spots: readonly Spot[]): Runs {
  const bySpot = new Map<Spot, AgentRun | undefined>();
  const scenes = new Map<string, AgentRun[]>();
  const calls = new Map<string, Spot[]>();
  const runs: AgentRun[] = [];
  const found = spots.filter((spot) => spot.isRun).sort(compareSpots);
  // Whatever is around a run is looked at first, also where clocks say otherwise.
  const look = (first: Spot): void => {
    const stack = [first];
    while (stack.length > 0) {
      const spot = stack.at(-1) as Spot;
      if (spot.run !== undefined && !bySpot.has(spot.run)) {
        stack.push(spot.run);
        continue;
      }
      stack.pop();
      if (!bySpot.has(spot)) bySpot.set(spot, join(spot));
    }
  };
  const join = (spot: Spot): AgentRun | undefined => {
    const outer = spot.run === undefined ? undefined : bySpot.get(spot.run);
    // Within a run that is nobody's, nothing is anybody's.
    if (spot.run !== undefined && outer === undefined) return undefined;
    const call = spot.call === undefined ? undefined : sameCall(outer, spot.call);
    const agent = spot.sign.agent ?? (call?.sign.tool === undefined ? undefined : agentInToolName(call.sign.tool));
    const key = agent === undefined ? undefined : agentKey(agent);
    if (outer !== undefined && call === undefined && (key === undefined || key === outer.key))
      return extend(outer, spot);
    // What an agent's tool asks of a model under no name, or the agent's own, is no other agent.
    if (call !== undefined && (key === undefined || key === outer?.key)) return undefined;
    const scene = `${outer?.spot.id ?? ''}/${call?.id ?? ''}`;
    const beside = scenes.get(scene) ?? [];
    const twin = beside.find((other) => other.key === key && isTwin(other.spot, spot));
    if (twin !== undefined) return extend(twin, spot);
    const { start, end } = spot.row;
    const { receivedFrom, asks = [] } = spot.sign;
    const depth = outer === undefined ? 0 : outer.depth + 1;
    const run: AgentRun = { spot, agent, key, outer, call, scene, depth, start, end, receivedFrom, asks };
    scenes.set(scene, [...beside.slice(-MAX_BESIDE), run]);
    runs.push(run);
    return run;
  };
  /** One call of which two instrumentations tell is one. */
  const sameCall = (outer: AgentRun | undefined, call: Spot): Spot => {
    const group = `${outer?.spot.id ?? ''}/${call.sign.tool}`;
    const beside = calls.get(group) ?? [];
    const twin = beside.find((other) => other === call || isTwin(other, call));
    if (twin === undefined) calls.set(group, [...beside.slice(-MAX_BESIDE), call]);
    return twin ?? call;
  };
  found.forEach(look);
  const of = (spot: Spot | undefined): AgentRun | undefined => (spot === undefined ? undefined : bySpot.get(spot));
  for (const spot of spots) if (!spot.isRun) extendBy(of(spot.run), spot);
  runs.sort((a, b) => compareNanos(a.start, b.start) || a.depth - b.depth || compareSpots(a.spot, b.spot));
  return { runs, of };
}

const MAX_BESIDE = 16;

function extend(run: AgentRun, spot: Spot): AgentRun {
  extendBy(run, spot);
  return run;
}

function extendBy(run: AgentRun | undefined, { row }: Spot): void {
  if (run !== undefined && compareNanos(row.end, run.end) > 0) run.end = row.end;
}

/** Two instrumentations tell of one thing: under different dialects, at the same time for most of it. */
export function isTwin(a: Spot, b: Spot): boolean {
  return a.sign.dialect !== b.sign.dialect && overlap(a, b) >= 0.5;
}

/** The share of the shorter span during which the other lasted too. */
function overlap({ row: a }: Spot, { row: b }: Spot): number {
  const start = BigInt(compareNanos(a.start, b.start) < 0 ? b.start : a.start);
  const end = BigInt(compareNanos(a.end, b.end) < 0 ? a.end : b.end);
  const lengths = [a, b].map((row) => Number(BigInt(row.end) - BigInt(row.start)));
  const shorter = Math.max(1, Math.min(...lengths));
  return end < start ? 0 : (Number(end - start) + 1) / shorter;
}

/** By start; of equal ones the longer first, then by id. */
export function compareSpots(a: Spot, b: Spot): number {
  return compareNanos(a.row.start, b.row.start) || compareNanos(b.row.end, a.row.end) || byCodeUnit(a.id, b.id);
}
