import { SpanKind } from '@opentelemetry/api';
import { ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME } from '@seamtrace/semconv';
import { unseenStage } from '../capture/stage-capture.js';
import type { HandoffState } from '../handoff/state.js';
import { identityAttributes } from '../stamp/identity.js';
import { writeStage } from '../stamp/write.js';
import type { WorkingAgent } from './ingest.js';

/** What a person is called in the routes of a contract file, where a framework names none. */
export const PERSON = 'human';

/**
 * Who answers has taken the question. What that person could read no span says, and so the ingest has no outcome: nobody
 * observed one.
 */
export function personTook(
  { wiring, context, now }: Pick<WorkingAgent, 'wiring' | 'context' | 'now'>,
  question: Pick<HandoffState, 'id'> & Partial<HandoffState>,
): void {
  const state: HandoffState = { attempt: 1, execution: 1, kind: 'agent_to_human', ...question };
  const attributes = { ...identityAttributes(state, 'ingest'), [ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME]: PERSON };
  const span = wiring
    .tracer()
    .startSpan(`ingest ${PERSON}`, { kind: SpanKind.INTERNAL, startTime: now(), attributes }, context);
  writeStage(span, 'destination', unseenStage('unsupported'));
  span.end(now());
}
