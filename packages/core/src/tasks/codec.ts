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
 * appending and is read only when one of its handoffs is graded; entries may repeat and stand in any order.
 */
export function encodeEntry(entry: TaskEntry): string {
  return ascii(JSON.stringify(fieldsOf(entry)));
}

/** The entries of a packed text, the empty one included. */
export function decodeEntries(text: string): TaskEntry[] {
  return (JSON.parse(`[${text}]`) as Fields[]).map(entryOf);
}

type Field = string | number | readonly Field[];
type Fields = readonly [string, ...Field[]];

function fieldsOf(entry: TaskEntry): Fields {
  if ('hop' in entry) return hopFields(entry.hop);
  if ('tool' in entry) {
    const { runHandoffId, taskId, tool, agent, argumentsDigest, span } = entry.tool;
    return ['t', opt(runHandoffId), opt(taskId), tool, opt(agent), opt(argumentsDigest), ...refFields(span)];
  }
  if ('run' in entry) {
    const { taskId, handoffId, agent, dispatchedIds, root, span, inputTokens, outputTokens } = entry.run;
    const tokens = [inputTokens ?? -1, outputTokens ?? -1];
    return ['r', taskId, opt(handoffId), opt(agent), dispatchedIds, root ? 1 : 0, ...tokens, ...refFields(span)];
  }
  if ('modelCall' in entry) {
    const { taskId, runHandoffId, span } = entry.modelCall;
    return ['m', taskId, opt(runHandoffId), ...refFields(span)];
  }
  return 'counted' in entry ? ['c', entry.counted.of, entry.counted.mark] : ['l'];
}

function entryOf(fields: Fields): TaskEntry {
  switch (fields[0]) {
    case 'h':
      return { hop: hopFrom(fields) };
    case 't':
      return { tool: toolFrom(fields) };
    case 'r':
      return { run: runFrom(fields) };
    case 'm':
      return { modelCall: modelCallFrom(fields) };
    case 'c':
      return { counted: { of: fields[1] as string, mark: fields[2] as number } };
    default:
      return { lost: true };
  }
}

/** Facts by their place in the list, which only ever grows at its end. */
function hopFields({ handoffId, attempt, facts, disputed, doubtful, ...spans }: TaskHop): Fields {
  const stated = HOP_FACTS.flatMap((name, place): Field[] => {
    const value = facts[name];
    return value === undefined ? [] : [place, value];
  });
  const unknown = disputed.map((name) => HOP_FACTS.indexOf(name));
  const refs = [spans.dispatchSpan, spans.ingestSpan, spans.runSpan];
  const packed = refs.map((span): Field => (span === undefined ? 0 : refFields(span)));
  return ['h', handoffId, attempt, doubtful ? 1 : 0, stated, unknown, ...packed];
}

function hopFrom([, handoffId, attempt, doubtful, stated, unknown, dispatch, ingest, run]: Fields): TaskHop {
  const facts: Partial<Record<HopFact, string>> = {};
  const pairs = stated as Field[];
  for (let at = 0; at < pairs.length; at += 2) facts[HOP_FACTS[pairs[at] as number]!] = pairs[at + 1] as string;
  const ref = (packed: Field | undefined) => (packed === 0 ? undefined : refFrom(packed as Field[]));
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

function toolFrom([, runHandoffId, taskId, tool, agent, argumentsDigest, ...span]: Fields): ToolEvidence {
  return {
    runHandoffId: text(runHandoffId),
    taskId: text(taskId),
    tool: tool as string,
    agent: text(agent),
    argumentsDigest: text(argumentsDigest),
    span: refFrom(span),
  };
}

function runFrom([, taskId, handoffId, agent, dispatchedIds, root, input, output, ...span]: Fields): RunEvidence {
  return {
    taskId: taskId as string,
    handoffId: text(handoffId),
    agent: text(agent),
    dispatchedIds: dispatchedIds as string[],
    root: root === 1,
    span: refFrom(span),
    inputTokens: input === -1 ? undefined : (input as number),
    outputTokens: output === -1 ? undefined : (output as number),
  };
}

function modelCallFrom([, taskId, runHandoffId, ...span]: Fields): ModelCall {
  return { taskId: taskId as string, runHandoffId: text(runHandoffId), span: refFrom(span) };
}

function refFields(span: SpanRef): Field[] {
  const start = BigInt(span.startUnixNano);
  const lasted = BigInt(span.endUnixNano) - start;
  const more: Field[] = [span.execution, span.failed ? 1 : 0];
  if (span.errorType !== undefined) more.push(span.errorType);
  return [span.traceId, span.spanId, start.toString(36), lasted.toString(36), ...more];
}

function refFrom([traceId, spanId, start, lasted, execution, failed, errorType]: readonly Field[]): SpanRef {
  const began = nanos(start as string);
  return {
    traceId: traceId as string,
    spanId: spanId as string,
    execution: execution as number,
    startUnixNano: began.toString(),
    endUnixNano: (began + nanos(lasted as string)).toString(),
    failed: failed === 1,
    errorType: errorType as string | undefined,
  };
}

/** A number of base 36, six digits at a time, since such a piece is exact as a double. */
function nanos(digits: string): bigint {
  const negative = digits.startsWith('-');
  let value = 0n;
  for (let at = negative ? 1 : 0; at < digits.length; at += 6) {
    const part = digits.slice(at, at + 6);
    value = value * BigInt(36 ** part.length) + BigInt(parseInt(part, 36));
  }
  return negative ? -value : value;
}

/** 0 stands for what is not stated: it is shorter than `null`, and no text. */
function opt(value: string | undefined): Field {
  return value ?? 0;
}

function text(field: Field | undefined): string | undefined {
  return typeof field === 'string' ? field : undefined;
}

function ascii(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
