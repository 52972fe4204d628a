import { newHandoffId } from '../../handoff/id.js';
import { subtask, type Task } from '../../handoff/task.js';
import { elements, memberOf } from '../../hooks/own-data.js';
import { type AdkHandoff, type AgentFrame, endsOf } from './agent-frame.js';
import { stepHandoff } from './handoff-flow.js';

// Agents inside a workflow agent share the session's state, and ownership moves with it: whoever worked last hands over to
// whoever works next. Agents at work at the same time are a group: all of its members take over from the group before,
// and all of them hand over to the one after. A workflow agent itself only arranges that, and is no party to it.

/** How an agent begins inside a workflow agent. */
export interface Step {
  readonly startedBy: readonly AdkHandoff[];
  /** Who worked before, for a workflow agent that begins: its first agents take over from them. */
  readonly before: readonly AgentFrame[];
  readonly task: Task;
}

/** An agent is about to begin inside a workflow agent. */
export function stepInto(around: AgentFrame, name: string, arranges: boolean): Step {
  const { steps, shape } = around;
  if (steps.active === 0) {
    // One of several alternatives takes over from whom the first one would have; an earlier one failed.
    const done = shape === 'choice' ? [] : steps.group.flatMap(endsOf);
    if (done.length > 0) steps.before = done;
    steps.group = [];
  }
  const before = steps.before.length > 0 ? steps.before : [];
  const own = around.run.record.task;
  const apart = shape === 'branches' && elements(memberOf(around.agent, 'subAgents').value).length > 1;
  if (arranges)
    return {
      startedBy: [],
      before,
      task: apart ? subtask(taskAfter(before, own), { id: newHandoffId() }) : taskAfter(before, own),
    };
  const others = before.filter((each) => each.name !== name);
  const startedBy = others.map((each) => stepHandoff(each, name, apart ? newHandoffId() : undefined));
  if (startedBy.length > 0) return { startedBy, before: [], task: joined(startedBy, own) };
  const task = taskAfter(before, own);
  return { startedBy, before: [], task: apart ? subtask(task, { id: newHandoffId() }) : task };
}

/** The agent has begun. */
export function stepBegan(around: AgentFrame, frame: AgentFrame): void {
  around.steps.group.push(frame);
  around.steps.active += 1;
}

export function stepEnded(around: AgentFrame): void {
  around.steps.active -= 1;
}

/** The same agent again serves the task as it stood with it. */
function taskAfter(before: readonly AgentFrame[], own: Task): Task {
  const [only, ...others] = before;
  return only === undefined || others.length > 0 ? own : only.run.record.task;
}

/** One handoff brings its task; where branches come together, the task of which theirs are parts goes on. */
function joined(startedBy: readonly AdkHandoff[], own: Task): Task {
  const [first, ...others] = startedBy.map(({ followed }) => followed.onward);
  if (first === undefined) return own;
  if (others.length === 0) return first;
  const deepest = others.reduce((a, b) => ((b.hop?.index ?? 0) > (a.hop?.index ?? 0) ? b : a), first);
  const same = others.every(({ identity }) => identity.id === first.identity.id);
  return same ? deepest : { ...deepest, identity: own.identity };
}
