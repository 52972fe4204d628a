import { agreed } from '../evidence/distinct.js';
import type { Evidence, HandoffRecord } from '../evidence/types.js';
import { type Place, createQueue } from '../reassembly/queue.js';
import { encodeEntry } from './codec.js';
import { type TaskFacts, WAITED, tallyHop } from './counting.js';
import { type TaskHop, hopKey, hopOf } from './hop.js';
import { readMemory } from './memory.js';
import { createOrphans } from './orphans.js';
import { goesOnElsewhere, outcomeOf, rootRunOf } from './outcome.js';
import { atHopLimit, depthOf } from './path.js';
import { type TaskPiece, piecesOf, taskIn } from './piece.js';
import type { TaskSlot } from './slot.js';
import { createTaskSlots } from './slots.js';
import { MAX_TASK_HOPS, viewTask } from './state.js';
import type { HopRef, TaskEnd, TaskNews, Tasks, TasksOptions } from './types.js';
import type { TaskView } from './view.js';

/** A decision on a handoff that waits for more evidence. */
interface Waiting {
  readonly taskId: string;
  readonly key: string;
  readonly until: number;
  place: Place<Waiting> | undefined;
}

/** What a task remembers of a record, for the two who ask one after the other: the view and what follows the grade. */
function createHops(): (record: HandoffRecord) => TaskHop {
  let last: { readonly record: HandoffRecord; readonly hop: TaskHop } | undefined;
  return (record) => {
    if (last?.record !== record) last = { record, hop: hopOf(record) };
    return last.hop;
  };
}

/** Everything is bounded: tasks by number and by bytes, each by caps of its own, and beside them calls without a task. */
export function createTasks(options: TasksOptions): Tasks {
  const { silenceMs, settleMs = 10_000, replanMs = 600_000, maxTasks, maxBytes = 268_435_456 } = options;
  const ignoredTools = options.ignoredTools ?? (() => []);
  const slots = createTaskSlots(2 * maxTasks);
  const waiting = createQueue<Waiting>();
  const hopFor = createHops();
  const orphans = createOrphans(options.maxOrphans ?? 16_384);
  let early = news();

  /** @param ours It is our own grading that speaks, which opens no task anew. */
  function speak(id: string, now: number, ours: boolean): TaskSlot {
    makeRoom(id, now);
    const { slot, again } = slots.open(id, now);
    // What was known of a task let go is gone: nothing that needs all of it is found any more.
    if (again) slots.write(slot, { lost: true });
    if (again || (slot.over && !ours)) {
      if (!ours) options.reopened?.();
      slot.over = false;
      slot.again = true;
    }
    slots.touch(slot, now);
    return slot;
  }

  /** Lets those go that have been silent longest, and not the one that speaks. */
  function makeRoom(id: string, now: number): void {
    const needed = slots.get(id) === undefined ? 1 : 0;
    while (slots.size + needed > maxTasks || slots.bytes > maxBytes) {
      const silent = slots.firstSilent();
      if (silent === undefined || silent.id === id) return;
      const ended = close(silent, now);
      // That it stopped without a word is not known of a task that was not waited for.
      const ends = ended.ends.map((end) => ({ ...end, outcome: end.outcome === 'silent' ? undefined : end.outcome }));
      early = merge([early, { ...ended, ends, affected: [] }]);
      slots.forget(silent);
    }
  }

  /** Tells the end of a task, unless it was told before, and decides what is left to decide. */
  function close(slot: TaskSlot, now: number): TaskNews {
    const told = slot.over || slot.again;
    slot.over = true;
    const facts = [...slots.read(slot).state.hops.keys()].map((key) => count(slot, key, now, true));
    const view = view0(slot);
    const end = { taskId: slot.id, outcome: outcomeOf(view), hops: depthOf(view), atHopLimit: atHopLimit(view) };
    return merge([...facts.map((each) => news(each)), news({ ends: told ? [] : [end], affected: slot.graded })]);
  }

  function view0(slot: TaskSlot): TaskView {
    return viewTask(slots.read(slot).state, undefined, undefined);
  }

  function add(taskId: string, piece: TaskPiece, now: number): readonly HopRef[] {
    const slot = speak(taskId, now, false);
    slots.write(slot, piece);
    if ('run' in piece && (piece.run.handoffId === undefined || slot.subtask)) awaitEnd(slot, now);
    if (!('modelCall' in piece)) return slot.graded;
    // Only who still owns the task, and whether the read-back came first, depend on when a model was called.
    const { runHandoffId } = piece.modelCall;
    return slot.graded.filter(({ handoffId, mode }) => mode || handoffId === runHandoffId);
  }

  function awaitEnd(slot: TaskSlot, now: number): void {
    slot.rootMayHaveEnded = true;
    slots.touch(slot, now);
  }

  function offer(evidence: Evidence, now: number): readonly HopRef[] {
    const affected: HopRef[] = [];
    for (const { taskId, piece } of piecesOf(evidence, () => undefined)) affected.push(...add(taskId, piece, now));
    const taskId = taskIn(evidence);
    if (taskId !== undefined) noteAwaited(speak(taskId, now, false), evidence.handoff);
    const { tool, node } = evidence;
    if (tool?.taskId === undefined && tool?.runHandoffId !== undefined) orphans.add(tool.runHandoffId, { tool });
    if (node?.op === 'model' && node.taskId === undefined && node.ownerHandoffId !== undefined) {
      const modelCall = { taskId: '', runHandoffId: node.ownerHandoffId, span: node.span };
      orphans.add(node.ownerHandoffId, { modelCall });
    }
    return affected;
  }

  /** Its hop counts for the task, and joins it only when it is graded. */
  function noteAwaited(slot: TaskSlot, handoff: HandoffRecord | undefined): void {
    if (handoff === undefined || (slot.awaited?.size ?? 0) >= MAX_TASK_HOPS) return;
    const { handoffId, attempt } = handoff;
    const graded = slot.graded.some((hop) => hop.handoffId === handoffId && hop.attempt === attempt);
    if (!graded) (slot.awaited ??= new Set()).add(hopKey(handoff));
  }

  function adopt(slot: TaskSlot, handoffId: string): void {
    for (const piece of orphans.take(handoffId)) {
      slots.write(slot, 'modelCall' in piece ? { modelCall: { ...piece.modelCall, taskId: slot.id } } : piece);
    }
  }

  function viewOf(record: HandoffRecord): TaskView | undefined {
    const taskId = agreed(record.facts.task);
    if (taskId === undefined) return undefined;
    const slot = slots.get(taskId);
    if (slot === undefined) {
      const { state } = readMemory(taskId, slots.isGone(taskId) ? encodeEntry({ lost: true }, taskId) : '');
      return viewTask(state, hopFor(record), undefined);
    }
    adopt(slot, record.handoffId);
    const view = viewTask(slots.read(slot).state, hopFor(record), undefined);
    return slot.over ? { ...view, ended: outcomeOf(view) } : view;
  }

  function noteGraded(record: HandoffRecord, now: number): TaskNews {
    const taskId = agreed(record.facts.task);
    if (taskId === undefined) return news();
    const slot = speak(taskId, now, true);
    adopt(slot, record.handoffId);
    const hop = hopFor(record);
    if (slot.awaited?.delete(hopKey(hop)) === true && slot.awaited.size === 0) slot.awaited = undefined;
    // What is there already, word for word, shows nothing in another light; else grading would never come to an end.
    const encoded = encodeEntry({ hop }, taskId);
    const affected = slot.packed.includes(encoded) ? [] : join(slot, hop, encoded, now);
    return news({ ...count(slot, hopKey(hop), now, false), affected });
  }

  function join(slot: TaskSlot, hop: TaskHop, encoded: string, now: number): readonly HopRef[] {
    slots.write(slot, { hop }, encoded);
    const { handoffId, attempt, facts } = hop;
    const others = slot.graded.filter((other) => hopKey(other) !== hopKey(hop));
    if (others.length < MAX_TASK_HOPS)
      slot.graded = [...others, { handoffId, attempt, mode: facts.mode !== undefined }];
    if (facts.taskParent !== undefined) {
      slot.subtask = true;
      awaitEnd(slot, now);
    }
    return others;
  }

  /** What a hop adds to the metrics by now, marked as told. */
  function count(slot: TaskSlot, key: string, now: number, final: boolean): TaskFacts {
    const { state, counted } = slots.read(slot);
    const hop = state.hops.get(key);
    if (hop === undefined) return news();
    const tally = tallyHop(viewTask(state, hop, undefined), hop, counted, ignoredTools, final);
    for (const each of tally.marks) slots.write(slot, { counted: each });
    // What does not fit among those that wait is decided when its task ends.
    if (tally.open && !final && waiting.size < maxTasks && ((counted.get(key) ?? 0) & WAITED) === 0) {
      slots.write(slot, { counted: { of: key, mark: WAITED } });
      const wait: Waiting = { taskId: slot.id, key, until: now + replanMs, place: undefined };
      wait.place = waiting.push(wait);
    }
    return tally.facts;
  }

  function popDue(now: number, limit = Number.POSITIVE_INFINITY): TaskNews {
    const all = [early];
    early = news();
    for (let steps = 0; steps < limit; steps += 1) {
      const next = stepDue(now);
      if (next === undefined) break;
      all.push(next);
    }
    return merge(all);
  }

  /** One task that settled, one decision that waits no longer, or one task that was silent long enough. */
  function stepDue(now: number): TaskNews | undefined {
    const settled = slots.firstSettling();
    if (settled !== undefined && settled.spokeAt + settleMs <= now) {
      slots.stopSettling(settled);
      const view = view0(settled);
      settled.rootMayHaveEnded = rootRunOf(view) !== undefined;
      // Looked at again when it has said more.
      const ended = settled.rootMayHaveEnded && settled.awaited === undefined && !goesOnElsewhere(view);
      return ended ? close(settled, now) : news();
    }
    const wait = waiting.first();
    if (wait !== undefined && wait.until <= now) {
      waiting.remove(wait.place!);
      const slot = slots.get(wait.taskId);
      return slot === undefined ? news() : news(count(slot, wait.key, now, true));
    }
    const silent = slots.firstSilent();
    if (silent === undefined || silent.spokeAt + silenceMs > now) return undefined;
    const ended = close(silent, now);
    slots.forget(silent);
    return { ...ended, affected: [] };
  }

  function next(): number | undefined {
    const [silent, settling] = [slots.firstSilent(), slots.firstSettling()];
    const times = [
      early.ends.length > 0 ? 0 : undefined,
      silent === undefined ? undefined : silent.spokeAt + silenceMs,
      settling === undefined ? undefined : settling.spokeAt + settleMs,
      waiting.first()?.until,
    ].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  return {
    offer,
    offerPiece: add,
    viewOf,
    noteGraded,
    popDue,
    next,
    takeChanges: () => slots.takeChanges(),
    restore: (kept, before) => slots.restore(kept, before),
    get size() {
      return slots.size;
    },
    get bytes() {
      return slots.bytes;
    },
  };
}

function news(some: Partial<TaskNews> = {}): TaskNews {
  return {
    spent: [],
    replans: [],
    redundant: [],
    escalations: [],
    ends: [] as readonly TaskEnd[],
    affected: [],
    ...some,
  };
}

function merge(all: readonly TaskNews[]): TaskNews {
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  return {
    spent: all.flatMap(({ spent }) => spent),
    replans: all.flatMap(({ replans }) => replans),
    redundant: all.flatMap(({ redundant }) => redundant),
    escalations: all.flatMap(({ escalations }) => escalations),
    ends: all.flatMap(({ ends }) => ends),
    affected: all.flatMap(({ affected }) => affected),
  };
}
