import {
  HANDOFF_KINDS,
  HANDOFF_LEGS,
  HANDOFF_MODES,
  HANDOFF_PARTY_ROLES,
  type HandoffKind,
  type HandoffLeg,
  type HandoffMode,
  type HandoffPartyRole,
  PAYLOAD_CHANNELS,
  type PayloadChannel,
} from '@seamtrace/semconv';
import { HANDOFF_ID_PATTERN } from '../handoff/id.js';
import type { TaskIdentity } from '../handoff/state.js';
import { warnOnce } from '../runtime/report.js';

/** What a producer says when it hands over. Only `to` and `source` are needed. */
export interface DispatchOptions<P = unknown> {
  /** The agent that the route decision names, or the role of a person. */
  readonly to: string;
  /** All that the producer can read as it hands over: an object, a Map or JSON text. Only its key names are read. */
  readonly source: unknown;
  /**
   * What is sent, after every filter of the application. Left out, it is built from `source`: what the route's contract
   * permits, or all of `source` where no contract is known.
   */
  readonly payload?: P;
  /** Who hands over. By default the active run's `gen_ai.agent.name`, else what `accept` was told. */
  readonly from?: string | undefined;
  /** Name of a declared route. By default the only route that the contract file declares between `from` and `to`. */
  readonly route?: string | undefined;
  /** Contract version that the producer works by; the route's current one by default. */
  readonly version?: string | undefined;
  /** The task served: its id, or a subtask with its parent. By default the task of the active run. */
  readonly task?: string | TaskIdentity | undefined;
  /** `delegation` when the source waits for the result, `transfer` when ownership moves. */
  readonly mode?: HandoffMode | undefined;
  /** The framework's id of the call that hands over. The same call gives the same handoff id again. */
  readonly callId?: string | undefined;
  /** Run or thread id within which `callId` is unique. */
  readonly runId?: string | undefined;
  /** From 1. Raise it only when the envelope is built again (retry, repair); it needs the same `callId` or `id`. */
  readonly attempt?: number | undefined;
  /** The handoff id, where the application keeps its own. */
  readonly id?: string | undefined;
  /** The handoff that this one retries under a new id. */
  readonly retryOf?: string | { readonly id: string } | undefined;
  readonly kind?: HandoffKind | undefined;
  /** `return` for the result of a delegation; `inReplyTo` is then the handoff that the active run was started by. */
  readonly leg?: HandoffLeg | undefined;
  readonly inReplyTo?: string | { readonly id: string } | undefined;
  readonly sourceRole?: HandoffPartyRole | undefined;
  readonly targetRole?: HandoffPartyRole | undefined;
  /** Constant over a whole chain; by default that of the active run, else the task's id. */
  readonly correlationId?: string | undefined;
  /** Limit of hops for a task that begins here; by default the route's. */
  readonly hopLimit?: number | undefined;
  /** By what the payload travels. By default `envelope`, and `text` for a payload that is text but no JSON. */
  readonly channel?: PayloadChannel | undefined;
  /** The goal in the user's words. Only its keyed digest is kept, and none without `SEAMTRACE_SECRET`. */
  readonly goal?: string | undefined;
  /** Names of the tools that the target has, for routes that ask for tools. */
  readonly tools?: readonly string[] | undefined;
  /** Test case that a fixture stands for. */
  readonly caseId?: string | undefined;
}

const MAX_NAME = 256;

/** A name or id as it may stand on a span. A longer one would be cut by limits and then be another name: it is left out. */
export function nameOption(option: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '' && value.length <= MAX_NAME) return value;
  warnOnce(`option:${option}`, `dispatch: \`${option}\` must be a text of 1 to ${MAX_NAME} characters; it is left out`);
  return undefined;
}

/** A handoff id as given or as a handle holds it. */
export function idOption(option: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const id = typeof value === 'object' ? (value as { readonly id?: unknown }).id : value;
  if (typeof id === 'string' && HANDOFF_ID_PATTERN.test(id)) return id;
  warnOnce(`option:${option}`, `dispatch: \`${option}\` must match ${HANDOFF_ID_PATTERN.source}; it is left out`);
  return undefined;
}

/** A whole number of at least 1. */
export function countOption(option: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isSafeInteger(value) && Number(value) >= 1) return Number(value);
  warnOnce(`option:${option}`, `dispatch: \`${option}\` must be a whole number of at least 1; it is left out`);
  return undefined;
}

function oneOf<T extends string>(option: string, value: unknown, values: readonly T[]): T | undefined {
  if (value === undefined || value === null) return undefined;
  const found = values.find((each) => each === value);
  if (found === undefined) {
    warnOnce(`option:${option}`, `dispatch: \`${option}\` must be one of ${values.join(', ')}; it is left out`);
  }
  return found;
}

/** The task that the application names. */
export function taskOption(value: DispatchOptions['task']): TaskIdentity | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') {
    const id = nameOption('task', value);
    return id === undefined ? undefined : { id };
  }
  const id = nameOption('task.id', value.id);
  if (id === undefined) return undefined;
  const parentId = nameOption('task.parentId', value.parentId);
  const owner = nameOption('task.owner', value.owner);
  return { id, ...(parentId === undefined ? {} : { parentId }), ...(owner === undefined ? {} : { owner }) };
}

export const kindOption = (value: unknown) => oneOf('kind', value, HANDOFF_KINDS);
export const modeOption = (value: unknown) => oneOf('mode', value, HANDOFF_MODES);
export const legOption = (value: unknown) => oneOf('leg', value, HANDOFF_LEGS);
export const channelOption = (value: unknown) => oneOf('channel', value, PAYLOAD_CHANNELS);
export const roleOption = (option: string, value: unknown) => oneOf(option, value, HANDOFF_PARTY_ROLES);
