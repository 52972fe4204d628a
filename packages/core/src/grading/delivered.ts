import { checkKeys, namesSeen } from './capture.js';
import type { Subject } from './subject.js';

/**
 * Whether every required key was at the destination, wherever it came from. Names in an incomplete capture prove
 * presence; only a complete one proves absence.
 */
export function deliveredOf(subject: Subject): 'yes' | 'no' | 'unknown' {
  const { contract, stages, notDispatched, record } = subject;
  if (notDispatched) return 'no';
  if (!contract.ok) return 'unknown';
  const { required } = contract.consumer;
  if (stages.destination.known) {
    const { missing, unknown } = checkKeys(stages.destination.capture, required);
    if (missing.length > 0) return 'no';
    return unknown.length > 0 ? 'unknown' : 'yes';
  }
  if (stages.destination.reason === 'contradiction' || record.stages.destination.executions.length === 0)
    return 'unknown';
  const seen = namesSeen(record.stages.destination);
  return required.every((key) => seen.has(key)) ? 'yes' : 'unknown';
}
