import { foldName } from '../evidence/fold-name.js';
import { looksRewritten } from '../evidence/masked.js';
import { memoize } from '../evidence/memo.js';
import type { RunEvidence } from '../evidence/types.js';
import { type TaskHop, hopNumber, isForward, takerOf } from './hop.js';
import { beganWithin, encloses } from '../evidence/spans.js';
import type { TaskView } from './view.js';

/** Where a handoff came from: the task's first agent, or the run that another handoff started. */
export type Origin = { readonly first: true } | { readonly first: false; readonly handoffId: string };

/** The handoffs before one on its path, nearest first, each with all its known attempts. */
export interface Chain {
  readonly before: readonly (readonly TaskHop[])[];
  /** The chain reaches the task's first agent, so that nothing is missing in it. */
  readonly rooted: boolean;
}

const MAX_CHAIN = 64;

/**
 * The runs that list the handoff among those that they dispatched; else those of the handoff under which the dispatch stands
 * in its trace; else the one run of the source's name whose span lasted around the dispatch. All of them are executions of
 * one run, or nothing is known.
 */
export function dispatchersOf(view: TaskView, hop: TaskHop): readonly RunEvidence[] {
  const { parentHandoff } = hop.facts;
  if (hop.disputed.includes('parentHandoff')) return [];
  const listing = listingsOf(view).get(hop.handoffId);
  if (listing !== undefined) {
    const parents = new Set([
      ...listing.map((run) => run.handoffId),
      ...(parentHandoff === undefined ? [] : [parentHandoff]),
    ]);
    return parents.size === 1 ? listing : [];
  }
  const { dispatchSpan } = hop;
  if (dispatchSpan === undefined) return [];
  const around = view.runs.filter((run) => run.handoffId !== hop.handoffId && encloses(run.span, dispatchSpan));
  if (parentHandoff !== undefined) return around.filter((run) => run.handoffId === parentHandoff);
  const source = hop.facts.source;
  const named = around.filter(
    (run) => run.agent !== undefined && source !== undefined && foldName(run.agent) === foldName(source),
  );
  return named.length === 1 ? named : [];
}

const NOTHING_LISTED: ReadonlyMap<string, readonly RunEvidence[]> = new Map();

// What a view says never changes, and every finding asks for it.
const listings = new WeakMap<TaskView, ReadonlyMap<string, readonly RunEvidence[]>>();

function listingsOf(view: TaskView): ReadonlyMap<string, readonly RunEvidence[]> {
  if (view.runs.every((run) => run.dispatchedIds.length === 0)) return NOTHING_LISTED;
  const known = listings.get(view);
  if (known !== undefined) return known;
  const byId = new Map<string, RunEvidence[]>();
  for (const run of view.runs) {
    for (const id of new Set(run.dispatchedIds)) byId.set(id, [...(byId.get(id) ?? []), run]);
  }
  listings.set(view, byId);
  return byId;
}

/** The run cannot be told from one that several handoffs started, whose span names none of them. */
export function mayBeJoin(view: TaskView, run: RunEvidence): boolean {
  const { agent } = run;
  if (run.handoffId !== undefined || agent === undefined) return run.handoffId === undefined && agent === undefined;
  const taken = view.hops.filter((hop) => {
    const taker = takerOf(hop) ?? hop.facts.target;
    return isForward(hop) && hop.runSpan === undefined && taker !== undefined && foldName(taker) === foldName(agent);
  });
  return new Set(taken.map((hop) => hop.handoffId)).size > 1;
}

/** Runs that no handoff started: of the task's first agent, once or several times. */
export function firstRuns(view: TaskView): readonly RunEvidence[] {
  return view.runs.filter((run) => run.handoffId === undefined && !mayBeJoin(view, run));
}

/** All known attempts of a handoff. */
export function attemptsOf(view: TaskView, handoffId: string): readonly TaskHop[] {
  return view.hops.filter((hop) => hop.handoffId === handoffId);
}

/**
 * Whose run dispatched the handoff: the run that says so, or around which the dispatch stands in its trace; else, by the path
 * that the handoff carries, the only handoff that came there. `undefined` where neither says it beyond doubt.
 */
export function originOf(view: TaskView, hop: TaskHop): Origin | undefined {
  const [dispatcher] = dispatchersOf(view, hop);
  if (dispatcher?.handoffId !== undefined) return { first: false, handoffId: dispatcher.handoffId };
  if (dispatcher !== undefined) return mayBeJoin(view, dispatcher) ? undefined : { first: true };
  if (listingsOf(view).has(hop.handoffId) || hop.disputed.includes('parentHandoff')) return undefined;
  const { parentHandoff } = hop.facts;
  if (parentHandoff !== undefined) return { first: false, handoffId: parentHandoff };
  const path = pathOf(hop);
  if (path === undefined) {
    return hop.facts.hopPath === undefined && hopNumber(hop, 'hopIndex') === 1 ? { first: true } : undefined;
  }
  if (path.length < 2) return undefined;
  if (path.length === 2) return { first: true };
  return originByPath(view, hop, path.slice(0, -1));
}

function originByPath(view: TaskView, hop: TaskHop, before: readonly string[]): Origin | undefined {
  const candidates = view.hops.filter(
    (other) =>
      other.handoffId !== hop.handoffId &&
      isForward(other) &&
      !other.doubtful &&
      leadsTo(other, before) &&
      mayDispatch(other, hop),
  );
  const near = candidates.filter((other) => sharesTrace(other, hop));
  // A task that began several times may have walked one path several times: then only the trace tells the walks apart.
  const several = firstRuns(view).length > 1;
  const ids = new Set((several || idsOf(candidates).size > 1 ? near : candidates).map((other) => other.handoffId));
  const [only] = ids;
  return ids.size === 1 && only !== undefined ? { first: false, handoffId: only } : undefined;
}

/**
 * The dispatch may stand in the run that the other handoff started: in its trace, or while it lasted. One in another trace
 * and at another time is of a later run of the agent, as in a session that goes on the next day.
 */
export function mayDispatch({ ingestSpan, runSpan }: TaskHop, { dispatchSpan }: TaskHop): boolean {
  if (dispatchSpan === undefined || runSpan === undefined) return true;
  const { traceId } = dispatchSpan;
  return (
    runSpan.traceId === traceId || ingestSpan?.traceId === traceId || beganWithin(dispatchSpan, { ...runSpan, traceId })
  );
}

function idsOf(hops: readonly TaskHop[]): ReadonlySet<string> {
  return new Set(hops.map((hop) => hop.handoffId));
}

/** The handoffs before this one on its path, as far as they are known beyond doubt. */
export function chainOf(view: TaskView, hop: TaskHop): Chain {
  const before: (readonly TaskHop[])[] = [];
  const seen = new Set([hop.handoffId]);
  let at = hop;
  while (before.length < MAX_CHAIN) {
    const origin = originOf(view, at);
    if (origin === undefined || origin.first) return { before, rooted: origin?.first === true };
    const attempts = attemptsOf(view, origin.handoffId);
    const last = attempts.at(-1);
    if (last === undefined || seen.has(origin.handoffId) || attempts.some((each) => each.doubtful)) break;
    seen.add(origin.handoffId);
    before.push(attempts);
    at = last;
  }
  return { before, rooted: false };
}

/** The path as stated, target last; `undefined` where it is unknown or a name in it may have been rewritten. */
export function pathOf(hop: TaskHop): readonly string[] | undefined {
  const json = hop.facts.hopPath;
  return json === undefined ? undefined : (readPath(json) ?? undefined);
}

/** Tasks walk the same paths over and over. `null` where a name may have been rewritten. */
const readPath = memoize(1024, (json): readonly string[] | null => {
  const path = JSON.parse(json) as string[];
  return path.some(looksRewritten) ? null : path.map(foldName);
});

/** The hop ends where `before` ends: as its own path says, or with who really took it. */
function leadsTo(hop: TaskHop, before: readonly string[]): boolean {
  const path = pathOf(hop);
  if (path?.length !== before.length) return false;
  const taker = takerOf(hop);
  const ends = [path.at(-1), taker === undefined ? undefined : foldName(taker)];
  return path.slice(0, -1).every((name, index) => name === before[index]) && ends.includes(before.at(-1)!);
}

function sharesTrace(a: TaskHop, b: TaskHop): boolean {
  const ids = tracesOf(a);
  return tracesOf(b).some((id) => ids.includes(id));
}

function tracesOf({ dispatchSpan, ingestSpan, runSpan }: TaskHop): readonly string[] {
  return [dispatchSpan, ingestSpan, runSpan].flatMap((span) => (span === undefined ? [] : [span.traceId]));
}

/**
 * The longest chain of forward handoffs, each dispatched by the run that the one before it started: the depth of a task
 * that states no hop index. Runs nested in each other without a handoff between add nothing. 0 without any handoff.
 */
export function longestChain(view: TaskView): number {
  const depths = new Map<string, number>();
  const depthOf = (hop: TaskHop, under: ReadonlySet<string>): number => {
    const known = depths.get(hop.handoffId);
    if (known !== undefined) return known;
    const above = dispatchersOf(view, hop)[0]?.handoffId ?? hop.facts.parentHandoff;
    const parent = above === undefined || under.has(above) ? undefined : attemptsOf(view, above).find(isForward);
    const depth = 1 + (parent === undefined ? 0 : depthOf(parent, new Set([...under, hop.handoffId])));
    depths.set(hop.handoffId, depth);
    return depth;
  };
  return Math.max(0, ...view.hops.filter(isForward).map((hop) => depthOf(hop, new Set([hop.handoffId]))));
}

/** Largest hop index over forward legs; without any index the longest chain; `undefined` without a forward leg. */
export function depthOf(view: TaskView): number | undefined {
  const forward = view.hops.filter((hop) => isForward(hop) && !isNaN(hopNumber(hop, 'hopIndex') ?? 0));
  const indices = forward.map((hop) => hopNumber(hop, 'hopIndex')).filter((index) => index !== undefined);
  if (indices.length > 0) return Math.max(...indices);
  return forward.length === 0 ? undefined : longestChain(view);
}

/** A forward leg whose index is at or over its limit. */
export function atHopLimit(view: TaskView): boolean {
  return view.hops.some((hop) => {
    const [index, limit] = [hopNumber(hop, 'hopIndex'), hopNumber(hop, 'hopLimit')];
    return isForward(hop) && index !== undefined && limit !== undefined && index >= limit;
  });
}
