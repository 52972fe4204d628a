import type { TraceNode } from '../evidence/types.js';
import { foldName } from '../evidence/fold-name.js';
import { createDecisions } from './decisions.js';
import { parentPiece } from './derive.js';
import { type SpanFacts, type SpanIds, createDetails } from './details.js';
import { createForest } from './forest.js';
import { type OutlineRow, readOutline, traceKey } from './outline-codec.js';
import { type Run, createRuns, newRun } from './runs.js';
import type { Trace } from './traces.js';
import { NEVER, OPS, ROOT, UNRESOLVED } from './tree.js';
import type { OutlineOffered, Topology, TopologyOptions } from './types.js';

const NODE_OPS = { ...OPS, other: OPS.link } as const;
const FOREVER = Number.POSITIVE_INFINITY;

/** Everything is bounded: see {@link TopologyOptions}. */
export function createTopology(options: TopologyOptions): Topology {
  return topologyOf(options, false);
}

/** {@link createTopology}; with `whole`, nothing is resolved before `drain`, when all contradictions are known. */
export function topologyOf(options: TopologyOptions, whole: boolean): Topology {
  const { sink, observer = {}, maxSpans = 1_000_000, idleMs = 3_600_000, settleMs = 2_000, seed = 0 } = options;
  const maxSpansPerTrace = Math.max(1, Math.min(options.maxSpansPerTrace ?? 65_536, maxSpans >> 2));
  const details = createDetails();
  const runs = createRuns();
  const forest = createForest(
    {
      maxSpans,
      maxSpansPerTrace: whole ? maxSpans : maxSpansPerTrace,
      maxTraces: options.maxTraces ?? Math.max(4, maxSpans >> 3),
      seed,
    },
    { found, run: (row) => void (tree.note[row] = runs.add(newRun(row))), contradicted, leaves, evicted },
  );
  const { tree, traces } = forest;
  const decisions = createDecisions({
    sink,
    settleMs,
    op: tree.op,
    facts: factsOf,
    surroundings: (run) => ({ partial: traceAt(run.row).partial, outer: () => outerOf(run) }),
    settled,
  });
  let undecided = 0;
  let lost = 0;
  let clock = 0;

  /** What is known of a run; `undefined` for any other row. */
  function runAt(row: number): Run | undefined {
    return tree.op(row) === OPS.run ? runs.at(tree.note[row] as number) : undefined;
  }

  function found(row: number, scope: number): void {
    // Most rows are of neither kind.
    if ((tree.note[row] as number) < 0) return;
    const op = tree.op(row);
    if (op === OPS.run) {
      const run = runAt(row);
      if (run?.awaitsOuter === true) decisions.reconsider(run, clock);
    } else {
      // What a tool calls is no call of the agent; what is handed over or taken up within one is of the agent's run.
      const notAgents = tree.inTool(row) && (op === OPS.tool || op === OPS.model);
      const above = scope < 0 || notAgents ? undefined : runAt(scope);
      if (above === undefined) settled(row);
      else decisions.attach(above, row, clock);
    }
  }

  function contradicted(row: number): void {
    const run = runAt(row);
    if (run === undefined) return settled(row);
    run.contradicted = true;
    run.decision = undefined;
    decisions.reconsider(run, clock);
  }

  function leaves(row: number): void {
    const run = runAt(row);
    if (run !== undefined) {
      run.gone = true;
      runs.remove(tree.note[row] as number);
      if (run.detail >= 0) details.remove(run.detail);
    } else if ((tree.note[row] as number) >= 0) {
      lost += 1;
      settled(row);
    }
  }

  function evicted(spans: number): void {
    observer.evicted?.(spans);
    tellLost('evicted');
  }

  function tellLost(why: 'expired' | 'evicted'): void {
    if (lost > 0) observer.unresolved?.(lost, why);
    lost = 0;
  }

  function outerOf(run: Run): Run | 'unknown' | undefined {
    const scope = tree.scope[run.row] as number;
    if (scope === UNRESOLVED) return 'unknown';
    return scope < 0 ? undefined : runAt(scope);
  }

  function factsOf(row: number): SpanFacts | undefined {
    const detail = runAt(row)?.detail ?? (tree.note[row] as number);
    if (detail < 0) return undefined;
    return details.read(detail, () => idsOf(row));
  }

  function traceAt(row: number): Trace {
    return traces.at(tree.traceOf[row] as number);
  }

  function idsOf(row: number): SpanIds {
    const { key } = traceAt(row);
    const above = tree.parent[row] as number;
    return {
      traceId: Buffer.from(key, 'latin1').toString('hex'),
      spanId: tree.spanId(row),
      // One that names itself as its parent, or a parent for which there was no room, is no root.
      parentSpanId: above === ROOT ? undefined : tree.spanId(above === NEVER ? row : above),
    };
  }

  function hold(row: number, detail: number): void {
    tree.note[row] = detail;
    undecided += 1;
  }

  function settled(row: number): void {
    const detail = tree.note[row] as number;
    if (detail < 0) return;
    tree.note[row] = -1;
    details.remove(detail);
    undecided -= 1;
  }

  function offer(node: TraceNode, now: number): 'placed' | 'duplicate' | 'refused' {
    clock = now;
    const trace = forest.traceOf(traceKey(node.traceId), now);
    const [high, low] = halves(node.spanId);
    const [aboveHigh, aboveLow] = node.parentSpanId === undefined ? [0, 0] : halves(node.parentSpanId);
    trace.ours = true;
    const row = forest.place(trace, NODE_OPS[node.op], high, low, aboveHigh, aboveLow);
    traces.touch(trace, now);
    if (row < 0) {
      observer.capped?.(1);
      return 'refused';
    }
    const known = forest.placed() === 'known';
    if (node.op === 'run') stampRun(row, node);
    else if (!known && needsOwner(node)) hold(row, details.ofNode(node));
    if (!whole) forest.resolve(row);
    return known ? 'duplicate' : 'placed';
  }

  /** What states its owner, or its task as the first agent's spans do, says all by itself. */
  function needsOwner(node: TraceNode): boolean {
    const { op, handoffId, ownerHandoffId, taskId } = node;
    if (op === 'ingest') return handoffId !== undefined;
    if (op === 'tool' && node.tool === undefined) return false;
    if (op === 'tool' || op === 'model') return ownerHandoffId === undefined && taskId === undefined;
    if (op !== 'dispatch' || handoffId === undefined) return false;
    if (ownerHandoffId === undefined) return true;
    const piece = parentPiece({ handoffId, attempt: node.attempt }, ownerHandoffId);
    if (piece !== undefined) sink.evidence(piece);
    return false;
  }

  function stampRun(row: number, node: TraceNode): void {
    const run = runAt(row);
    if (run === undefined) return;
    const agent = node.agent === undefined ? undefined : foldName(node.agent);
    if (differ(run.agent, agent) || differ(run.handoffId, node.handoffId) || differ(run.taskId, node.taskId)) {
      return forest.contradict(row);
    }
    const before = run.handoffId ?? run.taskId;
    run.agent ??= agent;
    run.handoffId ??= node.handoffId;
    run.taskId ??= node.taskId;
    if (run.detail >= 0) details.remove(run.detail);
    run.detail = details.ofNode(node);
    if (before === (run.handoffId ?? run.taskId)) return;
    run.decision = undefined;
    decisions.reconsider(run, clock);
  }

  function offerOutline(packed: Uint8Array, now: number): OutlineOffered {
    clock = now;
    const reader = readOutline(packed);
    const held: (Trace | undefined)[] = [];
    const counts = { placed: 0, duplicate: 0, refused: 0 };
    for (let row = reader.next(); row !== undefined; row = reader.next()) {
      let trace = held[row.trace];
      if (trace === undefined || trace.gone) {
        trace = forest.traceOf(reader.traces[row.trace] as string, now);
        held[row.trace] = trace;
      }
      const at = forest.place(trace, row.op, row.spanHigh, row.spanLow, row.parentHigh, row.parentLow);
      if (at < 0) counts.refused += 1;
      else {
        counts[forest.placed() === 'known' ? 'duplicate' : 'placed'] += 1;
        takeRow(at, row);
      }
    }
    for (const trace of held) if (trace !== undefined && !trace.gone) traces.touch(trace, now);
    if (counts.refused > 0) observer.capped?.(counts.refused);
    return counts;
  }

  function takeRow(at: number, row: OutlineRow): void {
    if (row.op === OPS.run) {
      const run = runAt(at);
      const agent = row.agent === undefined ? undefined : foldName(row.agent);
      if (run === undefined || differ(run.agent, agent)) forest.contradict(at);
      else {
        run.agent ??= agent;
        if (run.detail < 0) run.detail = details.ofRow(row);
      }
    } else if (
      forest.placed() !== 'known' &&
      (row.op === OPS.model || (row.op === OPS.tool && row.tool !== undefined))
    ) {
      hold(at, details.ofRow(row));
    }
    if (!whole) forest.resolve(at);
  }

  function popDue(now: number, limit = FOREVER): void {
    clock = now;
    let left = decisions.popDue(now, limit);
    for (let trace = traces.idlest(); trace !== undefined && left > 0; trace = traces.idlest()) {
      if (trace.lastAt + idleMs > now) return;
      left -= trace.spans;
      forest.evict(trace);
      tellLost('expired');
    }
  }

  function drain(now: number): void {
    clock = now;
    if (whole) traces.each((trace) => forest.resolveAll(trace));
    while (decisions.next() !== undefined) decisions.popDue(FOREVER, FOREVER);
  }

  return {
    offer,
    offerOutline,
    knows: (key) => traces.get(key) !== undefined,
    popDue,
    drain,
    next() {
      const idlest = traces.idlest();
      const due = decisions.next();
      const expiry = idlest === undefined ? undefined : idlest.lastAt + idleMs;
      return due === undefined || expiry === undefined ? (due ?? expiry) : Math.min(due, expiry);
    },
    oldestReceipt: () => traces.oldest()?.firstAt,
    sizes: () => ({ traces: traces.size, spans: tree.size, undecided }),
  };
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function halves(spanId: string): [number, number] {
  return [Number.parseInt(spanId.slice(0, 8), 16) | 0, Number.parseInt(spanId.slice(8), 16) | 0];
}
