import { fact, isInstrumented } from '../subject.js';
import type { Subject } from '../subject.js';
import type { FindingPass } from './types.js';

/** Dispatched, and nobody took it by the deadline. Not when the target is uninstrumented: its silence says nothing. */
export const neverAccepted: FindingPass = ({ subject }) => {
  const { record, target, context, notDispatched } = subject;
  if (!producerSpoke(subject) || consumerSpoke(subject) || notDispatched || context.evicted === true) return undefined;
  if (target === undefined || !isInstrumented(target, context)) return undefined;
  return { id: 'never_accepted', detail: { target, outcome: fact(record, 'dispatchOutcome') ?? null } };
};

/** A transfer was requested, and the framework never ran it. */
export const announcedNotDispatched: FindingPass = ({ subject: { record, target } }) =>
  fact(record, 'dispatchOutcome') === 'dropped'
    ? { id: 'announced_not_dispatched', detail: { target: target ?? null } }
    : undefined;

/** Somebody took a handoff that nobody is seen to have dispatched. Not when the source is uninstrumented. */
export const silentHandoff: FindingPass = ({ subject }) => {
  const { record, source, destination, context } = subject;
  if (producerSpoke(subject) || !consumerSpoke(subject) || context.evicted === true) return undefined;
  if (source === undefined || !isInstrumented(source, context)) return undefined;
  // The session before ended when it ended: its spans are those of another day, and long gone.
  if (record.facts.kind?.values.includes('session_to_session') === true) return undefined;
  if (context.task?.runs.some((run) => run.dispatchedIds.includes(record.handoffId)) === true) return undefined;
  return { id: 'silent_handoff', detail: { source, destination: destination ?? null } };
};

/** The consumer refused the envelope. */
export const ingestRejected: FindingPass = ({ subject: { record } }) => {
  if (fact(record, 'ingestOutcome') !== 'rejected') return undefined;
  return { id: 'ingest_rejected', detail: { violations: record.violations?.values ?? [] } };
};

/** The consumer refused again after a repair, or gave up to a person. */
export const repairExhausted: FindingPass = ({ subject }) => {
  const { record } = subject;
  const outcome = fact(record, 'ingestOutcome');
  const exhausted = outcome === 'escalated' || (outcome === 'rejected' && record.attempt > 1 && !firstRefusal(subject));
  return exhausted ? { id: 'repair_exhausted', detail: { attempt: record.attempt, outcome } } : undefined;
};

/** All attempts before are known, and none was refused: what was built again then was no repair. */
function firstRefusal({ record, context }: Subject): boolean {
  const before = context.siblings.filter(
    (sibling) => sibling.handoffId === record.handoffId && sibling.attempt < record.attempt,
  );
  if (before.length < record.attempt - 1) return false;
  return before.every(({ facts }) => facts.ingestOutcome?.values.includes('rejected') !== true);
}

function producerSpoke({ record }: Subject): boolean {
  const { source, payload } = record.stages;
  return record.sides.producer.speaks || source.executions.length > 0 || payload.executions.length > 0;
}

function consumerSpoke({ record }: Subject): boolean {
  return record.sides.consumer.speaks;
}
