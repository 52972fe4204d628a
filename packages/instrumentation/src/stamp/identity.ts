import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_SEAMTRACE_CAPTURE_BY,
  ATTR_SEAMTRACE_CASE_ID,
  ATTR_SEAMTRACE_CORRELATION_ID,
  ATTR_SEAMTRACE_HANDOFF_ATTEMPT,
  ATTR_SEAMTRACE_HANDOFF_EXECUTION,
  ATTR_SEAMTRACE_HANDOFF_ID,
  ATTR_SEAMTRACE_HANDOFF_IN_REPLY_TO,
  ATTR_SEAMTRACE_HANDOFF_KIND,
  ATTR_SEAMTRACE_HANDOFF_LEG,
  ATTR_SEAMTRACE_HANDOFF_MODE,
  ATTR_SEAMTRACE_HANDOFF_RETRY_OF,
  ATTR_SEAMTRACE_HANDOFF_ROLE,
  ATTR_SEAMTRACE_HANDOFF_ROUTE,
  ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME,
  ATTR_SEAMTRACE_HANDOFF_SOURCE_ROLE,
  ATTR_SEAMTRACE_HANDOFF_TARGET_NAME,
  ATTR_SEAMTRACE_HANDOFF_TARGET_ROLE,
  ATTR_SEAMTRACE_HOP_INDEX,
  ATTR_SEAMTRACE_HOP_LIMIT,
  ATTR_SEAMTRACE_HOP_PATH,
  ATTR_SEAMTRACE_SCHEMA_VERSION,
  ATTR_SEAMTRACE_TASK_ID,
  ATTR_SEAMTRACE_TASK_OWNER,
  ATTR_SEAMTRACE_TASK_PARENT_ID,
  type HandoffRole,
  SCHEMA_VERSION,
} from '@seamtrace/semconv';
import type { HandoffState, TaskIdentity } from '../handoff/state.js';
import { CAPTURE_BY } from '../runtime/version.js';

/** What every span of ours carries: which page it follows, and who captured. */
export function signature(): Attributes {
  return { [ATTR_SEAMTRACE_SCHEMA_VERSION]: SCHEMA_VERSION, [ATTR_SEAMTRACE_CAPTURE_BY]: CAPTURE_BY };
}

/** The task that a span serves and the chain that the task is part of, without anything about a handoff. */
export function taskAttributes(task: TaskIdentity | undefined, correlationId: string | undefined): Attributes {
  return present({
    [ATTR_SEAMTRACE_TASK_ID]: task?.id,
    [ATTR_SEAMTRACE_TASK_PARENT_ID]: task?.parentId,
    [ATTR_SEAMTRACE_TASK_OWNER]: task?.owner,
    [ATTR_SEAMTRACE_CORRELATION_ID]: correlationId,
  });
}

/**
 * The identity of a handoff as one span role states it (wire contract, section 3). Pass it in the attributes of
 * `startSpan`, so that samplers see it. The order is that in which a limit on attribute count should take them.
 */
export function identityAttributes(state: HandoffState, role: HandoffRole): Attributes {
  return present({
    [ATTR_SEAMTRACE_HANDOFF_ID]: state.id,
    [ATTR_SEAMTRACE_HANDOFF_ROLE]: role,
    [ATTR_SEAMTRACE_HANDOFF_ATTEMPT]: state.attempt,
    [ATTR_SEAMTRACE_HANDOFF_EXECUTION]: state.execution,
    [ATTR_SEAMTRACE_HANDOFF_ROUTE]: state.route,
    [ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME]: state.source?.name,
    [ATTR_SEAMTRACE_HANDOFF_TARGET_NAME]: state.target?.name,
    ...taskAttributes(state.task, state.correlationId),
    [ATTR_SEAMTRACE_HANDOFF_KIND]: state.kind,
    [ATTR_SEAMTRACE_HANDOFF_MODE]: state.mode,
    [ATTR_SEAMTRACE_HANDOFF_LEG]: state.leg,
    [ATTR_SEAMTRACE_HANDOFF_RETRY_OF]: state.retryOf,
    [ATTR_SEAMTRACE_HANDOFF_IN_REPLY_TO]: state.inReplyTo,
    [ATTR_SEAMTRACE_HANDOFF_SOURCE_ROLE]: state.source?.role,
    [ATTR_SEAMTRACE_HANDOFF_TARGET_ROLE]: state.target?.role,
    [ATTR_SEAMTRACE_HOP_INDEX]: state.hop?.index,
    [ATTR_SEAMTRACE_HOP_LIMIT]: state.hop?.limit,
    [ATTR_SEAMTRACE_HOP_PATH]: list(state.hop?.path),
    [ATTR_SEAMTRACE_CASE_ID]: state.caseId,
    ...signature(),
  });
}

/** Attributes without those that are not known. */
export function present(attributes: Readonly<Record<string, Attributes[string] | undefined>>): Attributes {
  const known: Attributes = {};
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) known[key] = value;
  return known;
}

/** A fresh mutable copy, as OpenTelemetry's attribute types ask for. */
export function list(values: readonly string[] | undefined): string[] | undefined {
  return values === undefined ? undefined : [...values];
}
