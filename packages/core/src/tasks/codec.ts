import type { RunEvidence, SpanRef, ToolEvidence } from '../evidence/types.js';
import { HOP_FACTS, type HopFact, type TaskHop } from './hop.js';
import type { TaskPiece } from './piece.js';
import type { ModelCall } from './view.js';

/** What of a task is already in metrics, so that a fact that is decided late, or twice, is counted once. */
export interface Counted {
  /** A hop key; or, for amounts, the hop index and the counter. */
  readonly of: string;
  /** Bits of one hop, which add up; or the amount so far, of which the largest counts. */
  readonly mark: number;
}

/** One entry of a task's packed text. */
export type TaskEntry = TaskPiece | { readonly counted: Counted } | { readonly lost: true };

/**
 * Entries are arrays in JSON, in ASCII, joined by commas. A task is so one string of a byte a character, which grows by
 * appending and is read only when one of its handoffs is graded; entries may repeat and stand in any order. The id of the
 * task itself is left out of its text.
 */
export function encodeEntry(entry: TaskEntry, taskId: string): string {
  return ascii(JSON.stringify(fieldsOf(entry, taskId)));
}

/** The entries of a packed text, the empty one included. */
export function decodeEntries(text: string, taskId: string): TaskEntry[] {
  if (text === '') return [];
  return (JSON.parse(`[${text}]`) as Fields[]).map((fields) => entryOf(fields, taskId));
}

type Field = string | number | readonly Field[];
type Fields = readonly [string, ...Field[]];

function fieldsOf(entry: TaskEntry, taskId: string): Fields {
  if ('hop' in entry) return hopFields(entry.hop, taskId);
  const id = (stated: string | undefined): Field => (stated === taskId ? OWN : opt(stated));
  if ('tool' in entry) {
    const { runHandoffId, taskId: task, tool, agent, argumentsDigest, span } = entry.tool;
    return ['t', opt(runHandoffId), id(task), tool, opt(agent), opt(argumentsDigest), ...refFields(span)];
  }
  if ('run' in entry) {
    const { taskId: task, handoffId, agent, dispatchedIds, root, span, inputTokens, outputTokens } = entry.run;
    const tokens = [inputTokens ?? -1, outputTokens ?? -1];
    return ['r', id(task), opt(handoffId), opt(agent), dispatchedIds, root ? 1 : 0, ...tokens, ...refFields(span)];
  }
  if ('modelCall' in entry) {
    const { taskId: task, runHandoffId, span } = entry.modelCall;
    return ['m', id(task), opt(runHandoffId), ...refFields(span)];
  }
  return 'counted' in entry ? ['c', entry.counted.of, entry.counted.mark] : ['l'];
}

function entryOf(fields: Fields, taskId: string): TaskEntry {
  switch (fields[0]) {
    case 'h':
      return { hop: hopFrom(fields, taskId) };
    case 't':
      return { tool: toolFrom(fields, taskId) };
    case 'r':
      return { run: runFrom(fields, taskId) };
    case 'm':
      return { modelCall: modelCallFrom(fields, taskId) };
    case 'c':
      return { counted: { of: fields[1] as string, mark: fields[2] as number } };
    default:
      return { lost: true };
  }
}

const PLACES: ReadonlyMap<string, number> = new Map(HOP_FACTS.map((name, place) => [name, place]));

/** Facts by their place in the list, which only ever grows at its end. */
function hopFields(hop: TaskHop, taskId: string): Fields {
  const { handoffId, attempt, facts, disputed, doubtful, dispatchSpan, ingestSpan, runSpan } = hop;
  const stated: Field[] = [];
  for (const name of HOP_FACTS) {
    const value = facts[name];
    if (value !== undefined) stated.push(PLACES.get(name)!, value === taskId ? OWN : value);
  }
  const unknown = disputed.map((name) => PLACES.get(name)!);
  const trace = dispatchSpan?.traceId ?? ingestSpan?.traceId ?? runSpan?.traceId ?? '';
  const ref = (span: SpanRef | undefined): Field => (span === undefined ? NOT_STATED : refFields(span, trace));
  const refs = [ref(dispatchSpan), ref(ingestSpan), ref(runSpan)];
  return ['h', handoffId, attempt, doubtful ? 1 : 0, stated, unknown, trace, ...refs];
}

function hopFrom(fields: Fields, taskId: string): TaskHop {
  const [, handoffId, attempt, doubtful, stated, unknown, trace, dispatch, ingest, run] = fields;
  const facts: Partial<Record<HopFact, string>> = {};
  const pairs = stated as Field[];
  for (let at = 0; at < pairs.length; at += 2) {
    facts[HOP_FACTS[pairs[at] as number]!] = text(pairs[at + 1], taskId)!;
  }
  const ref = (packed: Field | undefined) =>
    packed === NOT_STATED ? undefined : refFrom(packed as Field[], trace as string);
  return {
    handoffId: handoffId as string,
    attempt: attempt as number,
    facts,
    disputed: (unknown as number[]).map((place) => HOP_FACTS[place]!),
    doubtful: doubtful === 1,
    dispatchSpan: ref(dispatch),
    ingestSpan: ref(ingest),
    runSpan: ref(run),
  };
}

function toolFrom([, runHandoffId, task, tool, agent, argumentsDigest, ...span]: Fields, taskId: string): ToolEvidence {
  return {
    runHandoffId: text(runHandoffId),
    taskId: text(task, taskId),
    tool: tool as string,
    agent: text(agent),
    argumentsDigest: text(argumentsDigest),
    span: refFrom(span),
  };
}

function runFrom(fields: Fields, taskId: string): RunEvidence {
  const [, task, handoffId, agent, dispatchedIds, root, input, output, ...span] = fields;
  return {
    taskId: text(task, taskId)!,
    handoffId: text(handoffId),
    agent: text(agent),
    dispatchedIds: dispatchedIds as string[],
    root: root === 1,
    span: refFrom(span),
    inputTokens: input === -1 ? undefined : (input as number),
    outputTokens: output === -1 ? undefined : (output as number),
  };
}

function modelCallFrom([, task, runHandoffId, ...span]: Fields, taskId: string): ModelCall {
  return { taskId: text(task, taskId)!, runHandoffId: text(runHandoffId), span: refFrom(span) };
}

/** Start in full, of the end only the digits in which it differs, both as text: numbers of this size are no doubles. */
function refFields(span: SpanRef, trace?: string): Field[] {
  const { traceId, spanId, startUnixNano: start, endUnixNano: end, execution, failed, errorType } = span;
  let same = 0;
  if (start.length === end.length)
    while (same < end.length && start.charCodeAt(same) === end.charCodeAt(same)) same += 1;
  const fields: Field[] = [traceId === trace ? OWN : traceId, spanId, start, same, end.slice(same)];
  if (execution !== 1 || failed || errorType !== undefined) fields.push(execution, failed ? 1 : 0);
  if (errorType !== undefined) fields.push(errorType);
  return fields;
}

function refFrom(fields: readonly Field[], trace?: string): SpanRef {
  const [traceId, spanId, start, same, rest, execution = 1, failed = 0, errorType] = fields;
  return {
    traceId: text(traceId, trace)!,
    spanId: spanId as string,
    execution: execution as number,
    startUnixNano: start as string,
    endUnixNano: (start as string).slice(0, same as number) + (rest as string),
    failed: failed === 1,
    errorType: errorType as string | undefined,
  };
}

/** Stand for what is not stated, and for the id that the reader knows: shorter than any text, and none. */
const NOT_STATED = 0;
const OWN = 1;

function opt(value: string | undefined): Field {
  return value ?? NOT_STATED;
}

function text(field: Field | undefined, own?: string): string | undefined {
  return field === OWN ? own : typeof field === 'string' ? field : undefined;
}

const NOT_ASCII = /[\u0080-\uffff]/;

function ascii(json: string): string {
  if (!NOT_ASCII.test(json)) return json;
  return json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
