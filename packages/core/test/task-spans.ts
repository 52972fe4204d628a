import type { DecodedSpan } from '../src/index.js';
import { type Attributes, span } from './spans.js';

/** Digests as a deployment's secret yields them. */
export const digest = (letter: string, key = 'k1') => `hmac-sha256:${key}:${letter.repeat(64)}`;

type Times = readonly [start: number, end: number];

const at = ([start, end]: Times) => ({
  startUnixNano: BigInt(Math.round(start * 1000)) * 1_000_000n,
  endUnixNano: BigInt(Math.round(end * 1000)) * 1_000_000n,
});

export interface HopModel {
  readonly id: string;
  /** Agents from the task's first one to the target; names source, target and destination. */
  readonly path: readonly string[];
  /** Stated as path, index and limit, unless `stated` says otherwise. */
  readonly index?: number | null;
  readonly limit?: number;
  readonly statePath?: boolean;
  readonly attempt?: number;
  /** Times in seconds; a span left out is not seen. */
  readonly dispatch?: Times;
  readonly ingest?: Times;
  readonly run?: Times;
  /** Ids that the destination's run dispatched. */
  readonly dispatched?: readonly string[];
  /** On all spans of the handoff. */
  readonly more?: Attributes;
  readonly runMore?: Attributes;
  readonly failed?: boolean;
  readonly task?: string;
}

/** The spans of one handoff: dispatch, ingest and the destination's run, each where it has times. */
export function hopSpans(model: HopModel): DecodedSpan[] {
  const { id, path, attempt = 1, task = 'task-1' } = model;
  const [source, target] = path.slice(-2);
  const index = model.index === undefined ? path.length - 1 : model.index;
  const identity: Attributes = {
    'seamtrace.handoff.id': id,
    'seamtrace.handoff.attempt': BigInt(attempt),
    'seamtrace.handoff.source.name': source!,
    'seamtrace.handoff.target.name': target!,
    'seamtrace.task.id': task,
    ...(index === null ? {} : { 'seamtrace.hop.index': BigInt(index) }),
    ...(model.limit === undefined ? {} : { 'seamtrace.hop.limit': BigInt(model.limit) }),
    ...(model.statePath === false ? {} : { 'seamtrace.hop.path': [...path] }),
    ...model.more,
  };
  const spans: DecodedSpan[] = [];
  const role = (name: string, times: Times, more: Attributes, over: Partial<DecodedSpan> = {}) =>
    spans.push(span({ ...identity, 'seamtrace.handoff.role': name, ...more }, { ...at(times), ...over }));
  if (model.dispatch !== undefined) role('dispatch', model.dispatch, {});
  const taken = { 'seamtrace.handoff.destination.name': target!, 'gen_ai.agent.name': target! };
  if (model.ingest !== undefined) role('ingest', model.ingest, taken);
  if (model.run !== undefined) {
    const dispatched = { 'seamtrace.handoff.dispatched_ids': [...(model.dispatched ?? [])] };
    const more = { ...taken, ...dispatched, 'gen_ai.operation.name': 'invoke_agent', ...model.runMore };
    role('destination', model.run, more, { parentSpanId: 'f'.repeat(16), statusCode: model.failed === true ? 2 : 0 });
  }
  return spans;
}

export interface FirstRunModel {
  readonly agent: string;
  readonly times: Times;
  readonly dispatched?: readonly string[];
  readonly failed?: boolean;
  readonly task?: string;
  readonly more?: Attributes;
}

/** The run of a task's first agent. */
export function firstRun({ agent, times, dispatched = [], failed, task = 'task-1', more }: FirstRunModel): DecodedSpan {
  const attributes: Attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': agent,
    'seamtrace.task.id': task,
    'seamtrace.handoff.dispatched_ids': [...dispatched],
    ...more,
  };
  return span(attributes, { ...at(times), statusCode: failed === true ? 2 : 0 });
}

export interface CallModel {
  /** The handoff that started the calling run; left out for the first agent. */
  readonly run?: string;
  readonly times: Times;
  readonly failed?: boolean;
  readonly agent?: string;
  readonly task?: string;
}

export function toolCall(tool: string, args: string | undefined, model: CallModel): DecodedSpan {
  const argumentsDigest = args === undefined ? {} : { 'seamtrace.tool.arguments.digest': args };
  return call({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool, ...argumentsDigest }, model);
}

export function modelCall(model: CallModel): DecodedSpan {
  return call({ 'gen_ai.operation.name': 'chat' }, model);
}

function call(attributes: Attributes, { run, times, failed, agent, task = 'task-1' }: CallModel): DecodedSpan {
  const owner: Attributes = {
    'seamtrace.task.id': task,
    ...(run === undefined ? {} : { 'seamtrace.run.handoff.id': run }),
    ...(agent === undefined ? {} : { 'gen_ai.agent.name': agent }),
  };
  return span({ ...attributes, ...owner }, { ...at(times), statusCode: failed === true ? 2 : 0 });
}
