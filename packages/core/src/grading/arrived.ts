import { checkKeys } from './capture.js';
import type { GradeContext } from './context.js';
import { deliveredOf } from './delivered.js';
import type { HandoffRecord } from '../evidence/types.js';
import { subjectOf } from './subject.js';

/** Required keys by whether they were at the destination; keys of which nothing is known are in neither number. */
export interface KeyArrival {
  readonly required: number;
  readonly arrived: number;
}

/**
 * How many of the required keys arrived, for a share over many handoffs. `undefined` where the destination's evidence
 * does not tell: what was not observed must not lower a share that reads as loss.
 */
export function keyArrivalOf(record: HandoffRecord, context: GradeContext): KeyArrival | undefined {
  const subject = subjectOf(record, context);
  const { contract, stages } = subject;
  const delivered = deliveredOf(subject);
  if (!contract.ok || delivered === 'unknown') return undefined;
  const { required } = contract.consumer;
  if (delivered === 'yes') return { required: required.length, arrived: required.length };
  if (subject.notDispatched || !stages.destination.known) return { required: required.length, arrived: 0 };
  const { missing, unknown } = checkKeys(stages.destination.capture, required);
  const known = required.length - unknown.length;
  return { required: known, arrived: known - missing.length };
}
