import { captureStage, type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { deriveHandoffId } from '../../handoff/id.js';
import type { HandoffState } from '../../handoff/state.js';
import type { Task } from '../../handoff/task.js';
import type { FollowedRun } from '../../hooks/agent-run.js';
import { beginHandoff, endHandoff, type FollowedHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ingestBeside } from '../../hooks/ingest.js';
import { elements, ownData } from '../../hooks/own-data.js';
import { PERSON } from '../../hooks/people.js';
import { guarded } from '../../runtime/report.js';
import { PREFIX } from './handoff-flow.js';
import { holdsMembers } from './carriers.js';
import { nextExecution, recallQuestion, rememberQuestion } from './memory.js';
import { owningRun, type NodeRun } from './runs.js';
import { concludeQuestion } from './stages.js';

// `interrupt(value)` asks a person and stops the graph; `Command({ resume })` begins the node again, and the same call now
// returns the answer. A node may ask several times, and begins again each time: question and answer have the ids of task
// and place, so that each is one handoff however often the node passes it.

const asked = new WeakSet<object>();

/** A node stopped to ask. An interrupt passes all graphs on its way up; the innermost node is the one that asked. */
export function interrupted(node: NodeRun, error: unknown): void {
  for (const interrupt of elements(ownData(error, 'interrupts'))) {
    if (typeof interrupt !== 'object' || interrupt === null || asked.has(interrupt)) continue;
    asked.add(interrupt);
    for (const asker of askers(node)) ask(node, asker, ownData(interrupt, 'value'));
  }
}

/** The question could not be put: without a checkpointer nothing could go on after it. */
export function notAsked(node: NodeRun): void {
  for (const asker of askers(node)) {
    const handoff = begin(node, asker, answers(node).length, 'agent_to_human');
    setPayload(handoff, unseenStage('error'), {});
    setSource(handoff, unseenStage('error'));
    endHandoff(handoff, 'dropped', { at: node.graphRun.now(), errorType: 'MISSING_CHECKPOINTER' });
  }
}

function ask(node: NodeRun, asker: Asker, value: unknown): void {
  const handoff = begin(node, asker, answers(node).length, 'agent_to_human');
  concludeQuestion(handoff, node, value);
  rememberQuestion(node.graphRun, handoff.state.id, handoff.span.spanContext());
  endHandoff(handoff, 'dispatched', { at: node.graphRun.now() });
}

/** The node has passed its questions: each answer that it was given came from a person to the agent that asked. */
export function answered(node: NodeRun): void {
  for (const [index, value] of answers(node).entries())
    for (const asker of askers(node)) {
      const handoff = begin(node, asker, index, 'human_to_agent');
      const capture = captureOf(handoff, value);
      setSource(handoff, capture);
      setPayload(handoff, capture, { channel: holdsMembers(value) ? 'envelope' : 'text' });
      endHandoff(handoff, 'dispatched', { at: asker.startedAt });
      ingestBeside(asker, handoff, capture);
      guarded('a question that was answered', () => taken(node, asker, index), undefined);
    }
}

/** Who answers has taken the question. What the person read of it nobody can see from here. */
function taken(node: NodeRun, asker: Asker, index: number): void {
  const id = deriveHandoffId(PREFIX, partsOf(node, index));
  const state: HandoffState = {
    id,
    attempt: 1,
    execution: 1,
    kind: 'agent_to_human',
    mode: 'delegation',
    source: { name: asker.agent },
    target: { name: PERSON },
    dispatchSpan: recallQuestion(node.graphRun, id),
  };
  const question = { wiring: asker.wiring, state, route: undefined, terms: undefined };
  ingestBeside({ ...asker, agent: PERSON }, question, unseenStage('unsupported'));
}

function partsOf({ graphRun, task }: NodeRun, index: number): readonly (string | number)[] {
  return [graphRun.thread ?? graphRun.nonce, task.id, 'interrupt', index];
}

/** What is known of who asks: an agent at work, or the one whose turn came before a step that asks for it. */
type Asker = Pick<FollowedRun, 'wiring' | 'agent' | 'context' | 'now' | 'startedAt'> & { readonly task: Task };

function askers(node: NodeRun): readonly Asker[] {
  const { graphRun } = node;
  const own = owningRun({ graphRun, node, tool: undefined });
  if (own !== undefined) return [{ ...own, task: own.record.task }];
  const { wiring, now, base } = graphRun;
  return node.origins.flatMap(({ node: before }) =>
    before.agent === undefined
      ? []
      : [
          {
            wiring,
            agent: before.agent,
            context: base,
            now,
            startedAt: now(),
            task: before.run?.record.task ?? graphRun.task,
          },
        ],
  );
}

function begin(
  node: NodeRun,
  { wiring, agent, context, task, startedAt }: Asker,
  index: number,
  kind: 'agent_to_human' | 'human_to_agent',
): FollowedHandoff {
  const { graphRun } = node;
  const parts = partsOf(node, index);
  const question = deriveHandoffId(PREFIX, parts);
  const answer = kind === 'human_to_agent';
  const idParts = answer ? [question, 'answer'] : parts;
  const inReplyTo: HandoffState | undefined = answer
    ? { id: question, attempt: 1, execution: 1, hop: task.hop }
    : undefined;
  return beginHandoff({
    wiring,
    source: answer ? PERSON : agent,
    target: answer ? agent : PERSON,
    prefix: PREFIX,
    idParts,
    task,
    context,
    kind,
    mode: 'delegation',
    leg: answer ? 'return' : undefined,
    inReplyTo,
    execution: nextExecution(graphRun, deriveHandoffId(PREFIX, idParts)),
    startTime: answer ? startedAt : graphRun.now(),
  });
}

/** The answers that the node was given so far, in the order of its questions. */
function answers({ task }: NodeRun): readonly unknown[] {
  return elements(ownData(task.config?.configurable?.['__pregel_scratchpad'], 'resume'));
}

function captureOf({ terms, wiring }: FollowedHandoff, value: unknown): StageCapture {
  return holdsMembers(value) ? captureStage(value, terms, wiring.secret()) : unseenStage('unsupported');
}
