import { foldName } from '../evidence/fold-name.js';
import type { RunEvidence, SpanRef, ToolEvidence } from '../evidence/types.js';
import { beganWithin, encloses } from '../evidence/spans.js';
import type { ModelTurn, TaskView } from './view.js';

/** What one run did itself: calls of the agent, not of what it ran inside itself. */
export interface OwnWork {
  readonly tools: readonly ToolEvidence[];
  readonly turns: readonly ModelTurn[];
}

/**
 * The tool and model calls of one run, by start. Spans name the handoff that started their run, which a second run of the
 * same handoff, or of the task's first agent, shares: so a call must have begun within the run's span, in its trace, under
 * no other name, and not inside another tool call, as the steps of an agent that is called as a tool do.
 *
 * @param dispatch A tool call around this span waits for a delegate; what happens meanwhile is no step of that call.
 */
export function ownWork(view: TaskView, run: RunEvidence, dispatch: SpanRef | undefined): OwnWork {
  const calls = view.toolsOf(run.handoffId);
  const around = calls.filter(({ span }) => dispatch === undefined || !encloses(span, dispatch));
  const inside = (span: SpanRef) =>
    around.some((call) => call.span.spanId !== span.spanId && encloses(call.span, span) && !sameTime(call.span, span));
  const own = (span: SpanRef) => beganWithin(span, run.span) && !inside(span);
  return {
    tools: calls.filter(({ agent, span }) => own(span) && sameName(agent, run.agent)),
    turns: view.modelCallsOf(run.handoffId).filter(({ span }) => own(span)),
  };
}

function sameName(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || foldName(a) === foldName(b);
}

/** Calls made at once stand beside each other. */
function sameTime(a: SpanRef, b: SpanRef): boolean {
  return a.startUnixNano === b.startUnixNano && a.endUnixNano === b.endUnixNano;
}
