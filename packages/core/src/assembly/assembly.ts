import type { Evidence } from '../evidence/types.js';
import { createReassembler } from '../reassembly/reassembler.js';
import type { Due, Offered } from '../reassembly/types.js';
import { createTasks } from '../tasks/tasks.js';
import type { HopRef, TaskNews } from '../tasks/types.js';
import { createForeignTraces } from '../topology/foreign/live.js';
import { createTopology } from '../topology/topology.js';
import { createAgents } from './agents.js';
import type { Arrivals, Assembly, AssemblyOptions } from './types.js';

const NEVER = Number.POSITIVE_INFINITY;
/** Tool calls wait so long for their handoff, and traces are followed at least so long. */
const MIN_NEEDED_MS = 600_000;
const DEFAULT_IDLE_MS = 3_600_000;

/** Everything is bounded: see the options of what it joins. */
export function createAssembly(options: AssemblyOptions): Assembly {
  const { settleMs, topology: bounds = {} } = options;
  const derived: Evidence[] = [];
  const agents = createAgents(options.maxSpeakers ?? 20_000);
  const topology = createTopology({
    ...bounds,
    sink: { evidence: (piece) => void derived.push(piece) },
    ...(options.topologyObserver === undefined ? {} : { observer: options.topologyObserver }),
  });
  const foreign = createForeignTraces({
    tell: (piece) => void derived.push(piece),
    settleMs,
    idleMs: bounds.idleMs ?? DEFAULT_IDLE_MS,
    ...(bounds.maxSpans === undefined ? {} : { maxSpans: Math.max(1024, bounds.maxSpans >> 2) }),
    ...(bounds.maxSpansPerTrace === undefined ? {} : { maxSpansPerTrace: bounds.maxSpansPerTrace }),
  });
  const tasks = createTasks(options);
  const reassembler = createReassembler({
    ...options,
    grade(record, context) {
      const graded = options.grade(record, { ...context, task: tasks.viewOf(record) });
      tell(tasks.noteGraded(record, clock));
      return graded;
    },
  });
  let clock = 0;
  let due: Due[] = [];
  let news: TaskNews[] = [];
  let touched: HopRef[] = [];

  /** Attempts on which the news bear are looked at again at once, since they came with the time they became known. */
  function tell(said: TaskNews): void {
    const { affected, spent, replans, redundant, escalations, ends } = said;
    touched.push(...affected);
    if ([spent, replans, redundant, escalations, ends].some(({ length }) => length > 0)) news.push(said);
  }

  function take(evidence: Evidence): Offered {
    agents.note(evidence.speakers, clock);
    const offered = reassembler.offer(evidence, clock);
    // Of several pieces that bear on a graded handoff, one revision comes.
    for (const { handoffId, attempt } of tasks.offer(evidence, clock)) {
      reassembler.recheck(handoffId, attempt, clock + settleMs);
    }
    return offered;
  }

  /** Brings about what the last step led to: derived evidence, and verdicts that rest on what it changed. */
  function settle(): void {
    if (derived.length > 0) derived.splice(0).forEach(take);
    const again = touched;
    touched = [];
    for (const { handoffId, attempt } of again) reassembler.recheck(handoffId, attempt, clock);
  }

  function next(): number | undefined {
    const trees = Math.min(topology.next() ?? NEVER, foreign.next() ?? NEVER);
    const at = Math.min(trees, reassembler.next() ?? NEVER, tasks.next() ?? NEVER);
    return at === NEVER ? undefined : Math.max(at, clock);
  }

  /** One step of what is due first; at one time trees come before handoffs, and handoffs before tasks. */
  function step(at: number, limit: number): number {
    clock = at;
    if ((topology.next() ?? NEVER) <= at) topology.popDue(at, limit);
    else if ((foreign.next() ?? NEVER) <= at) foreign.popDue(at, limit);
    else if ((reassembler.next() ?? NEVER) <= at) {
      const verdicts = reassembler.popDue(at, limit);
      due.push(...verdicts);
      settle();
      return Math.max(1, verdicts.length);
    } else tell(tasks.popDue(at, limit));
    settle();
    return 1;
  }

  function popDue(now: number, limit = NEVER): Arrivals {
    let left = limit;
    for (let at = next(); at !== undefined && at <= now && left > 0; at = next()) left -= step(at, left);
    // Cut off, it goes on from where it came: what is left is worked off at its own time.
    if ((next() ?? NEVER) > now) clock = Math.max(clock, now);
    return collect();
  }

  function collect(): Arrivals {
    const arrivals = { due, tasks: news };
    due = [];
    news = [];
    return arrivals;
  }

  return {
    offer(evidence, now) {
      clock = Math.max(clock, now);
      const offered = take(evidence);
      if (evidence.node !== undefined) topology.offer(evidence.node, clock);
      foreign.note(evidence);
      settle();
      return offered;
    },
    offerOutline(packed, now) {
      clock = Math.max(clock, now);
      topology.offerOutline(packed, clock);
      foreign.offerOutline(packed, clock);
      settle();
    },
    knows: topology.knows,
    popDue,
    next: () => (due.length + news.length > 0 ? clock : next()),
    drain(now) {
      const before = popDue(now);
      topology.drain(clock);
      foreign.drain();
      settle();
      const { due: last, undecided } = reassembler.drain(clock);
      settle();
      const after = popDue(clock);
      return { due: [...before.due, ...last, ...after.due], undecided, tasks: [...before.tasks, ...after.tasks] };
    },
    neededSince(now) {
      const recent = now - MIN_NEEDED_MS;
      const oldest = Math.min(topology.oldestReceipt() ?? now, foreign.oldestReceipt() ?? now);
      const traces = Math.max(oldest, now - (bounds.idleMs ?? DEFAULT_IDLE_MS));
      return Math.min(recent, traces, reassembler.oldestReceipt() ?? now);
    },
    takeChanges: () => [
      ...tasks.takeChanges().map((change) => ({ kind: 'task', ...change }) as const),
      ...agents.takeChanges(),
    ],
    restore(kept, since) {
      const all = [...kept];
      tasks.restore(
        all.filter(({ kind }) => kind === 'task'),
        since,
      );
      for (const { kind, key, at } of all) {
        if (kind !== 'agent' || at >= since) continue;
        agents.restore(key);
        reassembler.offer(agents.evidence(key), clock);
      }
    },
    sizes: () => ({
      ...reassembler.sizes(),
      tasks: tasks.size,
      taskBytes: tasks.bytes,
      topology: topology.sizes(),
    }),
  };
}
