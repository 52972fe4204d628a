import { type Trace, type Traces, createTraces } from './traces.js';
import { LOST, NEVER, NO_RUN, OPS, ROOT, UNRESOLVED, type Tree, createTree } from './tree.js';

export interface ForestLimits {
  readonly maxSpans: number;
  readonly maxSpansPerTrace: number;
  readonly maxTraces: number;
  readonly seed: number;
}

/** What a forest tells of. Calls are synchronous. */
export interface ForestEvents {
  /** The nearest run above a row is known: another row, `NO_RUN` or `LOST`. */
  found(row: number, scope: number): void;
  /** A row turned out to be an `invoke_agent` span. */
  run(row: number): void;
  /** A row says nothing any more. */
  contradicted(row: number): void;
  /** A row goes with its trace. */
  leaves(row: number): void;
  /** Told after the rows of the trace. */
  evicted(spans: number): void;
}

/** How a span stood when it was placed. */
export type Placed = 'new' | 'known' | 'more';

/** The trees of all traces, within bounds, and the nearest run above each span. */
export interface Forest {
  readonly tree: Tree;
  readonly traces: Traces;
  /** The trace, made where there is none; may push out others. */
  traceOf(key: string, now: number): Trace;
  /**
   * The row of a span that was received, zeros saying that it has no parent; -1 where its trace has no room for it. May
   * push out other traces. {@link Forest.placed} tells whether it was known. Call `resolve` when its facts are in place.
   */
  place(trace: Trace, op: number, high: number, low: number, aboveHigh: number, aboveLow: number): number;
  /** Of the last `place`: `more` when a span that was known as a link turned out to have an operation. */
  placed(): Placed;
  contradict(row: number): void;
  /** Finds the run above a row that has just come, and above all rows that waited for it. */
  resolve(row: number): void;
  /** {@link Forest.resolve} for every span of a trace that was received. */
  resolveAll(trace: Trace): void;
  evict(trace: Trace): void;
}

export function createForest(limits: ForestLimits, events: ForestEvents): Forest {
  const tree = createTree(limits.maxSpans, limits.seed);
  const traces = createTraces(Math.max(64, limits.maxSpans >> 8), limits.maxTraces);
  const stack: number[] = [];
  let placed: Placed = 'new';

  function traceOf(key: string, now: number): Trace {
    const held = traces.get(key);
    if (held !== undefined) return held;
    if (traces.size >= limits.maxTraces) pushOut(undefined);
    return traces.add(key, now);
  }

  function pushOut(keep: Trace | undefined): boolean {
    const victim = traces.victim(keep);
    if (victim === undefined) return false;
    evict(victim);
    events.evicted(victim.spans);
    return true;
  }

  function evict(trace: Trace): void {
    for (let row = trace.head; row >= 0;) {
      const after = tree.sibling[row] as number;
      events.leaves(row);
      tree.remove(row);
      row = after;
    }
    traces.remove(trace);
  }

  function grow(trace: Trace, high: number, low: number): number {
    if (trace.spans >= limits.maxSpansPerTrace || (tree.full && !pushOut(trace))) {
      trace.partial = true;
      return -1;
    }
    const row = tree.add(trace.slot, trace.spans, high, low);
    tree.sibling[row] = trace.head;
    trace.head = row;
    trace.spans += 1;
    return row;
  }

  function place(trace: Trace, op: number, high: number, low: number, aboveHigh: number, aboveLow: number): number {
    let row = tree.find(trace.slot, trace.spans, high, low);
    if (row >= 0 && tree.present(row)) {
      recognise(row, op, aboveHigh, aboveLow);
      return row;
    }
    placed = 'new';
    if (row < 0) row = grow(trace, high, low);
    if (row < 0) return row;
    tree.arrive(row);
    setOp(row, op);
    if (aboveHigh === 0 && aboveLow === 0) return row;
    let above = tree.find(trace.slot, trace.spans, aboveHigh, aboveLow);
    if (above < 0) above = grow(trace, aboveHigh, aboveLow);
    // A span that names itself is as little decided as one for whose parent there is no room.
    tree.parent[row] = above < 0 || above === row ? NEVER : above;
    return row;
  }

  /** A span that comes again: the same, or with more said of it, or with something else. */
  function recognise(row: number, op: number, aboveHigh: number, aboveLow: number): void {
    placed = 'known';
    const above = tree.parent[row] as number;
    const root = aboveHigh === 0 && aboveLow === 0;
    const same = above === ROOT ? root : above === NEVER || tree.has(above, aboveHigh, aboveLow);
    const was = tree.op(row);
    if (!same || (was !== op && was !== OPS.link && op !== OPS.link)) contradict(row);
    else if (was === OPS.link && op !== OPS.link && !tree.contradicted(row)) {
      // First as a step left it that strips attributes, then as it was.
      placed = 'more';
      setOp(row, op);
    }
  }

  function setOp(row: number, op: number): void {
    tree.setOp(row, op);
    if (op === OPS.run) events.run(row);
  }

  function contradict(row: number): void {
    if (tree.contradicted(row)) return;
    tree.contradict(row);
    tree.scope[row] = LOST;
    events.contradicted(row);
  }

  function scopeFrom(row: number): number {
    const above = tree.parent[row] as number;
    if (above < 0) return above === ROOT ? NO_RUN : UNRESOLVED;
    if (tree.contradicted(above)) return LOST;
    if (!tree.present(above)) return UNRESOLVED;
    return tree.op(above) === OPS.run ? above : (tree.scope[above] as number);
  }

  function isInTool(above: number): boolean {
    const op = tree.op(above);
    return op === OPS.tool || (op !== OPS.run && tree.inTool(above));
  }

  function resolve(from: number): void {
    // What turned out to be more than a link may have found its run when nobody asked.
    if (placed === 'more' && tree.scope[from] !== UNRESOLVED) events.found(from, tree.scope[from] as number);
    stack.push(from);
    for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
      if (tree.scope[row] === UNRESOLVED) {
        const scope = scopeFrom(row);
        if (scope !== UNRESOLVED) {
          tree.scope[row] = scope;
          if (scope >= 0 && isInTool(tree.parent[row] as number)) tree.putInTool(row);
          events.found(row, scope);
        } else if ((tree.parent[row] as number) >= 0) tree.wait(row);
      }
      if (tree.scope[row] !== UNRESOLVED || tree.op(row) === OPS.run) tree.release(row, stack);
    }
  }

  function resolveAll(trace: Trace): void {
    placed = 'new';
    for (let row = trace.head; row >= 0; row = tree.sibling[row] as number) if (tree.present(row)) resolve(row);
  }

  return { tree, traces, traceOf, place, placed: () => placed, contradict, resolve, resolveAll, evict };
}
