import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { ATTR_ERROR_TYPE, ATTR_GEN_AI_AGENT_NAME, ATTR_GEN_AI_OPERATION_NAME } from '@seamtrace/semconv';
import { considerInside, decide } from '../accept/bind.js';
import { withFrame } from '../accept/frame.js';
import { runOf } from '../processor/run.js';
import { writeDestination } from '../stamp/destination.js';
import { identityAttributes } from '../stamp/identity.js';
import type { Served } from './incoming.js';

const MAX_NAME = 128;

/**
 * Makes the `invoke_agent` span of a call that is over, where no instrumentation inside made one: so nothing stands for one run
 * twice, and how it ended is on record all the same.
 */
export function beginOwnRun(served: Served): void {
  const { call, frame, base, startedAt } = served;
  const agent = call.agent ?? frame.state.target?.name;
  if (agent === undefined) return;
  const context = withFrame(base, frame);
  served.ownRun = call.wiring.tracer().startSpan(
    `invoke_agent ${agent.slice(0, MAX_NAME)}`,
    {
      kind: SpanKind.INTERNAL,
      startTime: startedAt,
      attributes: {
        ...call.attributes,
        ...identityAttributes(frame.state, 'destination'),
        [ATTR_GEN_AI_OPERATION_NAME]: 'invoke_agent',
        [ATTR_GEN_AI_AGENT_NAME]: agent,
      },
    },
    context,
  );
  // A registered processor has done so already; it is done once.
  considerInside(frame, runOf(served.ownRun, context));
}

/** Ends it, with the destination evidence on it. */
export function endOwnRun({ ownRun, errorType, now, frame }: Served): void {
  if (ownRun === undefined) return;
  decide(frame);
  if (frame.ingest !== undefined && frame.run?.span === ownRun) writeDestination(frame.run, frame, frame.ingest);
  if (errorType !== undefined) {
    ownRun.setAttribute(ATTR_ERROR_TYPE, errorType);
    ownRun.setStatus({ code: SpanStatusCode.ERROR });
  }
  ownRun.end(now());
}
