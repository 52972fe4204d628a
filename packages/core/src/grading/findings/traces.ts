import { fact } from '../subject.js';
import type { FindingPass } from './types.js';

/** The two sides stand in different traces and neither links to the other. Sessions are meant to be apart. */
export const traceBroken: FindingPass = ({ subject: { record } }) => {
  const { producer, consumer } = record.sides;
  if (fact(record, 'kind') === 'session_to_session') return undefined;
  if (producer.traceIds === undefined || consumer.traceIds === undefined) return undefined;
  const ours = new Set(producer.traceIds.values);
  const theirs = consumer.traceIds.values;
  if (producer.traceIds.more || consumer.traceIds.more || theirs.some((id) => ours.has(id))) return undefined;
  // Links are kept up to a number: one that is not kept may be the one.
  if (consumer.linkedTraceIds?.more === true || producer.linkedTraceIds?.more === true) return undefined;
  const linked =
    (consumer.linkedTraceIds?.values.some((id) => ours.has(id)) ?? false) ||
    (producer.linkedTraceIds?.values.some((id) => theirs.includes(id)) ?? false);
  return linked ? undefined : { id: 'trace_broken', detail: {} };
};
