import type { FindingPass } from './types.js';

/**
 * The two sides stand in different traces and neither links to the other. Sessions are meant to be apart. A consumer below
 * other spans proves nothing: the link may stand on one of those, as on that of the server or queue client which called it.
 */
export const traceBroken: FindingPass = ({ subject: { record } }) => {
  const { producer, consumer } = record.sides;
  if ((record.facts.kind?.values ?? []).includes('session_to_session')) return undefined;
  if (producer.traceIds === undefined || consumer.traceIds === undefined) return undefined;
  const ours = new Set(producer.traceIds.values);
  const theirs = consumer.traceIds.values;
  if (producer.traceIds.more || consumer.traceIds.more || theirs.some((id) => ours.has(id))) return undefined;
  const roots = record.facts.consumerRootTrace?.values ?? [];
  if (theirs.some((id) => !roots.includes(id))) return undefined;
  // Links are kept up to a number: one that is not kept may be the one.
  if (consumer.linkedTraceIds?.more === true || producer.linkedTraceIds?.more === true) return undefined;
  const linked =
    (consumer.linkedTraceIds?.values.some((id) => ours.has(id)) ?? false) ||
    (producer.linkedTraceIds?.values.some((id) => theirs.includes(id)) ?? false);
  return linked ? undefined : { id: 'trace_broken', detail: {} };
};
