import { foldName } from '../evidence/fold-name.js';
import { modelPiece, parentPiece, runEndPiece, runPiece, toolPiece } from './derive.js';
import type { Evidence } from '../evidence/types.js';
import type { SpanFacts } from './details.js';
import { type Queue, createQueue } from '../reassembly/queue.js';
import { type Owner, type Run, type Surroundings, decide, moveItems, rootOf } from './runs.js';
import { OPS } from './tree.js';
import type { TopologySink } from './types.js';

/** What decisions rest on; rows are those of the forest. */
export interface DecisionParts {
  readonly sink: TopologySink;
  readonly settleMs: number;
  readonly op: (row: number) => number;
  /** What is kept of a row; `undefined` where nothing is, any more. */
  readonly facts: (row: number) => SpanFacts | undefined;
  readonly surroundings: (run: Run) => Surroundings;
  /** Nothing more is to be told of a row. */
  readonly settled: (row: number) => void;
}

/** Decides runs, and tells of what stands in them. */
export interface Decisions {
  /** A row that needs an owner stands in a run. */
  attach(run: Run, row: number, now: number): void;
  /** Something about the run changed that may change its decision. */
  reconsider(run: Run, now: number): void;
  /** Tells of what is due; returns what is left of `limit`. */
  popDue(now: number, limit: number): number;
  next(): number | undefined;
}

interface Waiting {
  readonly run: Run;
  readonly due: number;
}

export function createDecisions({ sink, settleMs, op, facts, surroundings, settled }: DecisionParts): Decisions {
  // Each in the order of its times, which never decrease.
  const ready = createQueue<Waiting>();
  const settling = createQueue<Waiting>();

  function attach(run: Run, row: number, now: number): void {
    if (op(row) === OPS.ingest) return attachIngest(run, row, now);
    const root = rootOf(run);
    (root.items ??= []).push(row);
    enqueue(root, now);
  }

  function attachIngest(run: Run, row: number, now: number): void {
    const ingest = facts(row);
    if (ingest?.handoffId === undefined) return;
    if (run.handoffId !== undefined) return settled(row);
    if (!sameAgent(ingest.agent, run)) {
      run.disputed = true;
      run.decision = undefined;
      enqueue(run, now);
      return settled(row);
    }
    run.ingested ??= new Map();
    const known = run.ingested.has(ingest.handoffId);
    const task = run.ingested.get(ingest.handoffId);
    if (!known) run.decision = undefined;
    run.ingested.set(ingest.handoffId, known && task !== ingest.taskId ? undefined : ingest.taskId);
    (run.ingests ??= []).push(row);
    const began = BigInt(ingest.span.startUnixNano);
    if (run.touched === undefined || began < run.touched) run.touched = began;
    enqueue(run, now);
  }

  function enqueue(run: Run, now: number): void {
    if (run.queued || run.gone || (run.items === undefined && run.ingests === undefined)) return;
    run.queued = true;
    run.awaitsOuter = false;
    // A run that states its handoff, or was decided, waits for nothing.
    const sure =
      run.handoffId !== undefined || run.contradicted || (run.decision !== undefined && run.ingests === undefined);
    if (sure) ready.push({ run, due: now });
    else settling.push({ run, due: now + settleMs });
  }

  function work(queue: Queue<Waiting>, now: number, limit: number): number {
    let left = limit;
    for (let first = queue.first(); first !== undefined && first.due <= now && left > 0; first = queue.first()) {
      queue.shift();
      const { run } = first;
      run.queued = false;
      if (!run.gone) left -= settle(run, now, left);
    }
    return left;
  }

  /** Tells of what stands in a run; returns how much that was. */
  function settle(run: Run, now: number, limit: number): number {
    const told = tellIngests(run);
    run.decision ??= decide(run, surroundings(run));
    const { decision } = run;
    if (decision === undefined) {
      run.awaitsOuter = true;
      return told + 1;
    }
    if (decision.kind === 'step') {
      moveItems(run, decision.of);
      enqueue(decision.of, now);
      return told + 1;
    }
    if (decision.kind === 'owner') tellEnd(run, decision.owner);
    const items = run.items ?? [];
    const until = Math.max(0, items.length - Math.max(1, limit - told));
    for (let at = items.length - 1; at >= until; at--) {
      const row = items[at] as number;
      if (decision.kind === 'owner') tellItem(run, row, decision.owner);
      settled(row);
    }
    items.length = until;
    if (until === 0) run.items = undefined;
    enqueue(run, now);
    return told + 1 + items.length - until;
  }

  function tellIngests(run: Run): number {
    const ingests = run.ingests ?? [];
    run.ingests = undefined;
    for (const row of ingests) {
      const ingest = facts(row);
      const own = facts(run.row);
      if (ingest !== undefined && own !== undefined && !run.contradicted) {
        if (run.handoffId === undefined) tell(runPiece(ingest, own.span, own.agent));
      }
      settled(row);
    }
    return ingests.length;
  }

  /** A run that states its task has told its end itself. */
  function tellEnd(run: Run, owner: Owner): void {
    const own = run.ended || run.ingested === undefined || run.taskId !== undefined ? undefined : facts(run.row);
    if (own === undefined || run.handoffId !== undefined) return;
    run.ended = true;
    tell(runEndPiece(own, owner));
  }

  function tellItem(run: Run, row: number, owner: Owner): void {
    const item = facts(row);
    if (item === undefined || !sameAgent(item.agent, run) || beforeTouch(item, run)) return;
    tell(pieceOf(op(row), item, owner, run));
  }

  function pieceOf(operation: number, item: SpanFacts, owner: Owner, run: Run): Evidence | undefined {
    if (operation === OPS.model) return modelPiece(item, owner);
    if (operation === OPS.dispatch) return parentPiece(item, owner.handoffId);
    return toolPiece(item, owner, facts(run.row)?.agent);
  }

  function tell(piece: Evidence | undefined): void {
    if (piece !== undefined) sink.evidence(piece);
  }

  return {
    attach,
    reconsider: enqueue,
    popDue: (now, limit) => work(ready, now, work(settling, now, work(ready, now, limit))),
    next() {
      const [first, second] = [ready.first()?.due, settling.first()?.due];
      return first === undefined || second === undefined ? (first ?? second) : Math.min(first, second);
    },
  };
}

/**
 * What a run that states no handoff did before it touched the one that it ingested is not that handoff's: a supervisor gets
 * back what it gave away, a worker waits for work. Both spans are of one run, so their times compare.
 */
function beforeTouch(item: SpanFacts, run: Run): boolean {
  return run.handoffId === undefined && run.touched !== undefined && BigInt(item.span.startUnixNano) < run.touched;
}

/** A span that names another agent than the run around it contradicts the tree. */
function sameAgent(agent: string | undefined, run: Run): boolean {
  return agent === undefined || run.agent === undefined || foldName(agent) === run.agent;
}
