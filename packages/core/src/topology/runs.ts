/** Whose what stands in a run is. */
export interface Owner {
  /** `undefined` for the first agent of a task. */
  readonly handoffId: string | undefined;
  readonly taskId: string | undefined;
}

/** What is known of one `invoke_agent` span. */
export interface Run {
  readonly row: number;
  /** Place of what its span says; -1 for nothing. */
  detail: number;
  /** In the form of `foldName`. */
  agent: string | undefined;
  handoffId: string | undefined;
  taskId: string | undefined;
  contradicted: boolean;
  /** Rows of ingests in it that no record was told of yet, and the handoffs of all. */
  ingests: number[] | undefined;
  ingested: Map<string, string | undefined> | undefined;
  /** When the first of them was first touched, in Unix nanoseconds. */
  touched: bigint | undefined;
  /** An ingest in it names another agent. */
  disputed: boolean;
  /** Rows of what waits for its owner. */
  items: number[] | undefined;
  decision: Decision | undefined;
  /** Its end was told of. */
  ended: boolean;
  /** Stands in a queue. */
  queued: boolean;
  /** Cannot be decided before the run above it is known. */
  awaitsOuter: boolean;
  gone: boolean;
}

export type Decision =
  | { readonly kind: 'owner'; readonly owner: Owner }
  | { readonly kind: 'nobody' }
  /** A step of another run, whose decision holds. */
  | { readonly kind: 'step'; of: Run };

export const NOBODY: Decision = { kind: 'nobody' };

export function newRun(row: number): Run {
  return {
    row,
    detail: -1,
    agent: undefined,
    handoffId: undefined,
    taskId: undefined,
    contradicted: false,
    ingests: undefined,
    ingested: undefined,
    touched: undefined,
    disputed: false,
    items: undefined,
    decision: undefined,
    ended: false,
    queued: false,
    awaitsOuter: false,
    gone: false,
  };
}

/** What is known of where a run stands. */
export interface Surroundings {
  /** Spans of its trace were let go: that nothing was received proves nothing. */
  readonly partial: boolean;
  outer(): Run | 'unknown' | undefined;
}

/**
 * Decides a run. `outer` tells the run above it: `undefined` where there is none, `'unknown'` where that is not known yet,
 * and is asked only if it matters; the answer is `undefined` then.
 */
export function decide(run: Run, { partial, outer }: Surroundings): Decision | undefined {
  if (run.contradicted) return NOBODY;
  if (run.handoffId !== undefined) return owned(run.handoffId, run.taskId);
  // From here on it counts what was not received.
  if (run.disputed || partial) return NOBODY;
  if (run.ingested !== undefined) {
    const [first] = run.ingested;
    if (run.ingested.size !== 1 || first === undefined) return NOBODY;
    return owned(first[0], run.taskId ?? first[1]);
  }
  if (run.taskId !== undefined) return owned(undefined, run.taskId);
  if (run.agent === undefined) return NOBODY;
  const above = outer();
  if (above === 'unknown') return undefined;
  if (above === undefined || above.agent !== run.agent) return NOBODY;
  const root = rootOf(above);
  // Two runs that stand in each other stand nowhere.
  return root === run ? NOBODY : { kind: 'step', of: root };
}

function owned(handoffId: string | undefined, taskId: string | undefined): Decision {
  return { kind: 'owner', owner: { handoffId, taskId } };
}

/** The run that a run is a step of, over all steps; itself where it is none or not decided. Shortens the way. */
export function rootOf(run: Run): Run {
  let root = run;
  while (root.decision?.kind === 'step') root = root.decision.of;
  for (let at = run; at.decision?.kind === 'step' && at.decision.of !== root;) {
    const { of } = at.decision;
    at.decision.of = root;
    at = of;
  }
  return root;
}

/** Hands what waits in one run to another, the shorter list to the longer, so that long chains of steps stay cheap. */
export function moveItems(from: Run, to: Run): void {
  const items = from.items;
  from.items = undefined;
  if (items === undefined) return;
  if (to.items === undefined) to.items = items;
  else if (to.items.length >= items.length) for (const item of items) to.items.push(item);
  else {
    for (const item of to.items) items.push(item);
    to.items = items;
  }
}

/** Runs by number, which stands in the row of each: nothing has to be looked up to find one. */
export interface Runs {
  add(run: Run): number;
  at(number: number): Run | undefined;
  remove(number: number): void;
}

export function createRuns(): Runs {
  const runs: (Run | undefined)[] = [];
  const freed: number[] = [];
  return {
    add(run) {
      const number = freed.pop() ?? runs.length;
      runs[number] = run;
      return number;
    },
    at: (number) => runs[number],
    remove(number) {
      runs[number] = undefined;
      freed.push(number);
    },
  };
}
