import { agentInToolName } from '../../evidence/dialects/transfer.js';
import type { SignMode } from '../../evidence/dialects/types.js';
import { compareNanos } from '../../evidence/spans.js';
import { agentKey } from './names.js';
import { type AgentRun, type Runs, compareSpots, isTwin } from './runs.js';
import type { Spot } from './spots.js';

/** A handoff as spans of foreign dialects show it. */
export interface InferredHandoff {
  /** The span whose id names it: of the request or call, else of the destination's run. */
  readonly id: string;
  readonly source: string | undefined;
  readonly from: AgentRun | undefined;
  /** The call or request; `undefined` where only the destination shows that there was one. */
  readonly ask: Spot | undefined;
  readonly target: string | undefined;
  /** The target was named by an attribute made for handoffs. */
  readonly stated: boolean;
  /** The run that it started; `undefined` where none did. */
  readonly to: AgentRun | undefined;
  mode: SignMode | undefined;
  /** Requested, and not run: another one of the same run was. */
  readonly dropped: boolean;
}

export interface Handoffs {
  readonly handoffs: readonly InferredHandoff[];
  /** The handoff that a run belongs to, also one that goes on after a delegate returned; `undefined` for a first agent. */
  startedBy(run: AgentRun): InferredHandoff | undefined;
}

/** A request that no run was found for yet. */
interface Ask {
  readonly spot: Spot | undefined;
  readonly from: AgentRun | undefined;
  readonly source: string | undefined;
  readonly key: string | undefined;
  readonly target: string | undefined;
  readonly stated: boolean;
  readonly mode: SignMode | undefined;
  readonly at: string;
}

/** Requests of one scene that are looked through for a run, the latest first. */
const MAX_LOOK = 256;

/**
 * Which handoffs were executed, and which were only asked for. A run was handed to when
 *
 * - it follows a request of its agent in the same scene, or stands in the run that requested it: the latest request counts,
 *   since several may have been made and only one taken up;
 * - it stands in the call of a tool of another run;
 * - its own span names the agent that handed over.
 *
 * A run of none of these that follows another of the same agent goes on where that one had given work away.
 */
export function handoffsOf(spots: readonly Spot[], runs: Runs): Handoffs {
  const handoffs: InferredHandoff[] = [];
  const owners = new Map<AgentRun, InferredHandoff | undefined>();
  const given = new Map<AgentRun, InferredHandoff[]>();
  const lastOf = new Map<string, AgentRun>();
  const lastIn = new Map<string, AgentRun>();
  const heldBy = new Map<Spot, InferredHandoff>();
  const asks = asksByScene(spots, runs);
  const taken = new Set<Spot>();
  const keys = new Set(runs.runs.map(({ key }) => key));

  function give(handoff: InferredHandoff): InferredHandoff {
    handoffs.push(handoff);
    const { from } = handoff;
    if (from !== undefined) addTo(given, from, handoff);
    if (handoff.ask !== undefined) taken.add(handoff.ask);
    if (handoff.to !== undefined) owners.set(handoff.to, handoff);
    return handoff;
  }

  for (const run of runs.runs) {
    const ask = takeAsk(run);
    if (ask !== undefined) give(executed(run, ask));
    else if (run.call !== undefined) inCall(run, run.call);
    else if (run.receivedFrom !== undefined) received(run, run.receivedFrom);
    else goOn(run);
    lastIn.set(run.scene, run);
    if (run.key !== undefined) lastOf.set(`${run.scene}/${run.key}`, run);
  }
  for (const list of asks.values()) list.forEach(leftOver);
  return { handoffs, startedBy: (run) => owners.get(run) };

  /** The request that this run answers, taken out of those that wait. */
  function takeAsk(run: AgentRun): Ask | undefined {
    let best: { list: Ask[]; at: number; ask: Ask } | undefined;
    for (const list of [asks.get(run.scene), nestedIn(run)]) {
      const from = Math.max(0, (list?.length ?? 0) - MAX_LOOK);
      for (let at = (list?.length ?? 0) - 1; at >= from; at -= 1) {
        const ask = list![at]!;
        if (!answers(run, ask)) continue;
        const better =
          best === undefined ||
          (best.ask.key === undefined && ask.key !== undefined) ||
          ((best.ask.key === undefined) === (ask.key === undefined) && compareNanos(ask.at, best.ask.at) > 0);
        if (better) best = { list: list!, at, ask };
      }
    }
    best?.list.splice(best.at, 1);
    return best?.ask;
  }

  /** Requests made in the very run around, as where a transfer runs inside of the run that asked for it. */
  function nestedIn({ outer, call }: AgentRun): Ask[] | undefined {
    return outer === undefined || call !== undefined ? undefined : asks.get(outer.scene);
  }

  function answers(run: AgentRun, ask: Ask): boolean {
    const { from } = ask;
    if (from === run || compareNanos(ask.at, run.start) > 0) return false;
    if (ask.spot !== undefined && ask.spot === run.call) return false;
    const inside = run.outer !== undefined && run.call === undefined && from === run.outer;
    if (from !== undefined ? !inside && from.scene !== run.scene : ask.source === undefined) return false;
    if (ask.key === undefined) return inside || (from !== undefined && lastIn.get(run.scene) === from);
    if (ask.key !== run.key) return false;
    // What was asked for along with something else that was run and is over was not taken up.
    const before = from === undefined ? [] : (given.get(from) ?? []);
    return !before.some(
      ({ to }) => to !== undefined && compareNanos(ask.at, to.end) < 0 && compareNanos(to.end, run.start) <= 0,
    );
  }

  function executed(run: AgentRun, ask: Ask): InferredHandoff {
    const { spot, from, stated, target } = ask;
    const mode = ask.mode ?? 'transfer';
    const source = from?.agent ?? ask.source;
    return { id: spot?.id ?? run.spot.id, source, from, ask: spot, target, stated, to: run, mode, dropped: false };
  }

  function inCall(run: AgentRun, call: Spot): void {
    const held = heldBy.get(call);
    // What follows in the same call goes on with what that call began; what runs at the same time is another delegate.
    if (held?.to !== undefined && compareNanos(held.to.end, run.start) <= 0) return void owners.set(run, held);
    const from = run.outer;
    const source = from?.agent ?? call.sign.agent;
    const { sign } = call;
    const guess = sign.target ?? (namedAfter(sign.tool, run.key) ? run.agent : undefined);
    const target = sign.stated === true ? sign.target : guess;
    const id = held === undefined ? call.id : run.spot.id;
    const mode = sign.mode ?? 'delegation';
    const rest = { target, stated: sign.stated === true, to: run, mode, dropped: false };
    const handoff = give({ id, source, from, ask: call, ...rest });
    if (held === undefined) heldBy.set(call, handoff);
  }

  function received(run: AgentRun, name: string): void {
    const from = lastOf.get(`${run.scene}/${agentKey(name)}`);
    const rest = { target: run.agent, stated: true, to: run, mode: 'transfer' as const, dropped: false };
    give({ id: run.spot.id, source: from?.agent ?? name, from, ask: undefined, ...rest });
  }

  /** Work that came back: what its agent had given away since was a delegation. */
  function goOn(run: AgentRun): void {
    const earlier = run.key === undefined ? undefined : lastOf.get(`${run.scene}/${run.key}`);
    if (earlier === undefined) return;
    owners.set(run, owners.get(earlier));
    for (const handoff of given.get(earlier) ?? []) {
      if (handoff.to !== undefined && compareNanos(handoff.to.end, run.start) <= 0) handoff.mode = 'delegation';
    }
  }

  /** A request that no run answered. One that another instrumentation tells of as well is no second one. */
  function leftOver(ask: Ask): void {
    const { spot, from, target, stated, key } = ask;
    const beside = from === undefined ? [] : (given.get(from) ?? []);
    if (spot === undefined || target === undefined || spot.sign.role !== 'ask') return;
    if (taken.has(spot)) return;
    const known = stated || keys.has(key);
    const repeated = beside.some((other) => {
      const same = other.target !== undefined && agentKey(other.target) === key;
      return (
        same && (other.ask === undefined || isTwin(other.ask, spot) || other.ask.sign.dialect !== spot.sign.dialect)
      );
    });
    if (!known || repeated || (ask.source ?? from?.agent) === undefined) return;
    const instead = beside.some(({ to, mode }) => to !== undefined && mode === 'transfer');
    const dropped = stated && instead && ask.mode === 'transfer';
    const source = from?.agent ?? ask.source;
    give({ id: spot.id, source, from, ask: spot, target, stated, to: undefined, mode: ask.mode, dropped });
  }
}

/** Adds to the list that a map holds under a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** All requests by the scene of the run that made them, by time. */
function asksByScene(spots: readonly Spot[], runs: Runs): Map<string, Ask[]> {
  const asks = new Map<string, Ask[]>();
  const named = new Set<string>();
  const inOrder = spots.filter(({ sign }) => sign.role === 'ask').sort(compareSpots);
  for (const spot of inOrder) {
    const { sign, call } = spot;
    // What a tool calls is no request of the agent.
    if (call !== undefined) continue;
    const from = runs.of(spot.run) ?? lastNamed(runs, sign.agent, spot);
    const { target, stated = false, mode } = sign;
    const key = target === undefined ? undefined : agentKey(target);
    if (from !== undefined) named.add(`${from.spot.id}/${key}`);
    addTo(asks, from?.scene ?? '/', { spot, from, source: sign.agent, key, target, stated, mode, at: spot.row.start });
  }
  for (const run of runs.runs) {
    for (const target of run.asks) {
      const key = agentKey(target);
      if (named.has(`${run.spot.id}/${key}`)) continue;
      const said = { key, target, stated: false, mode: undefined, at: run.end };
      addTo(asks, run.scene, { spot: undefined, from: run, source: run.agent, ...said });
    }
  }
  return asks;
}

/** The latest run of the agent that a request outside of any run names. */
function lastNamed({ runs }: Runs, agent: string | undefined, spot: Spot): AgentRun | undefined {
  if (agent === undefined || spot.run !== undefined) return undefined;
  const key = agentKey(agent);
  let last: AgentRun | undefined;
  for (const run of runs) if (run.key === key && compareNanos(run.start, spot.row.start) <= 0) last = run;
  return last;
}

/** The tool is named after the agent that runs in it. */
function namedAfter(tool: string | undefined, key: string | undefined): boolean {
  if (tool === undefined || key === undefined) return false;
  const inName = agentInToolName(tool);
  return agentKey(tool).endsWith(key) || (inName !== undefined && agentKey(inName) === key);
}
