import { readRecord, writeRecord } from './codec-record.js';
import { readStatedRef, writeRef } from './codec-ref.js';
import { type TokenReader, type TokenWriter, corrupt, createTokenReader, packTokens } from './codec-tokens.js';
import type { Evidence, HandoffRecord, NodeOp, RunEvidence, ToolEvidence, TraceNode } from './types.js';

/** Codes of operations. Part of the format: append only. */
const OPS: readonly NodeOp[] = ['run', 'tool', 'model', 'dispatch', 'ingest', 'other'];

/**
 * What one span contributed, as bytes for a journal. Canonical: equal evidence gives equal bytes, so that bytes can be
 * compared and hashed. The first byte is the version of the format. The bytes may share memory with other pieces; copy
 * them before you hand the memory away (a `postMessage` with a transfer list, for example).
 */
export function packEvidence(evidence: Evidence): Uint8Array {
  return packTokens(evidence, writeEvidence);
}

/**
 * The evidence that {@link packEvidence} packed, `undefined` members included. Takes its own copies of all texts.
 *
 * @throws CorruptEvidenceError for bytes of another format or damaged ones: a journal's fault, never a sender's.
 */
export function unpackEvidence(packed: Uint8Array): Evidence {
  return unpackTokens(packed, readEvidence);
}

/** {@link packEvidence} for a record alone. The two kinds of bytes cannot be told apart; who stores them knows. */
export function packRecord(record: HandoffRecord): Uint8Array {
  return packTokens(record, writeRecord);
}

/** The record that {@link packRecord} packed. @throws CorruptEvidenceError as {@link unpackEvidence} does. */
export function unpackRecord(packed: Uint8Array): HandoffRecord {
  return unpackTokens(packed, readRecord);
}

/** {@link packEvidence} for a tool call alone. */
export function packTool(tool: ToolEvidence): Uint8Array {
  return packTokens(tool, writeTool);
}

/** The call that {@link packTool} packed. @throws CorruptEvidenceError as {@link unpackEvidence} does. */
export function unpackTool(packed: Uint8Array): ToolEvidence {
  return unpackTokens(packed, readTool);
}

/** All of the bytes must be what `read` reads. */
function unpackTokens<T>(packed: Uint8Array, read: (from: TokenReader) => T): T {
  const from = createTokenReader(packed);
  const value = read(from);
  from.end();
  return value;
}

function writeEvidence(out: TokenWriter, evidence: Evidence): void {
  writeOptional(out, evidence.handoff, writeRecord);
  writeOptional(out, evidence.tool, writeTool);
  writeOptional(out, evidence.node, writeNode);
  writeOptional(out, evidence.run, writeRun);
  out.list(evidence.speakers);
}

function readEvidence(from: TokenReader): Evidence {
  return {
    handoff: readOptional(from, readRecord),
    tool: readOptional(from, readTool),
    node: readOptional(from, readNode),
    run: readOptional(from, readRun),
    speakers: from.list(),
  };
}

function writeOptional<T>(out: TokenWriter, value: T | undefined, write: (out: TokenWriter, value: T) => void): void {
  if (value === undefined) out.put(null);
  else write(out, value);
}

// Every part begins with a text, a number or a flag, so that an absent one shows by its first token.
function readOptional<T>(from: TokenReader, read: (from: TokenReader) => T): T | undefined {
  return from.absent() ? undefined : read(from);
}

function writeTool(out: TokenWriter, tool: ToolEvidence): void {
  out.text(tool.tool);
  out.optional(tool.runHandoffId);
  out.optional(tool.taskId);
  out.optional(tool.agent);
  out.optional(tool.argumentsDigest);
  writeRef(out, tool.span);
}

function readTool(from: TokenReader): ToolEvidence {
  const tool = from.text();
  return {
    runHandoffId: from.optional(),
    taskId: from.optional(),
    tool,
    agent: from.optional(),
    argumentsDigest: from.optional(),
    span: readStatedRef(from),
  };
}

function writeNode(out: TokenWriter, node: TraceNode): void {
  out.put(OPS.indexOf(node.op));
  out.text(node.traceId);
  out.text(node.spanId);
  out.optional(node.parentSpanId);
  out.optional(node.agent);
  out.optional(node.tool);
  out.optional(node.argumentsDigest);
  out.optional(node.taskId);
  out.optional(node.handoffId);
  writeNumber(out, node.attempt);
  out.optional(node.ownerHandoffId);
  writeRef(out, node.span);
}

function readNode(from: TokenReader): TraceNode {
  const code = from.number();
  const op = OPS[code];
  if (op === undefined) corrupt(`has an operation ${code}`);
  return {
    op,
    traceId: from.text(),
    spanId: from.text(),
    parentSpanId: from.optional(),
    agent: from.optional(),
    tool: from.optional(),
    argumentsDigest: from.optional(),
    taskId: from.optional(),
    handoffId: from.optional(),
    attempt: readNumber(from),
    ownerHandoffId: from.optional(),
    span: readStatedRef(from),
  };
}

function writeRun(out: TokenWriter, run: RunEvidence): void {
  out.text(run.taskId);
  out.optional(run.handoffId);
  out.optional(run.agent);
  out.list(run.dispatchedIds);
  out.put(run.root);
  writeRef(out, run.span);
  writeNumber(out, run.inputTokens);
  writeNumber(out, run.outputTokens);
}

function readRun(from: TokenReader): RunEvidence {
  return {
    taskId: from.text(),
    handoffId: from.optional(),
    agent: from.optional(),
    dispatchedIds: from.list(),
    root: from.flag(),
    span: readStatedRef(from),
    inputTokens: readNumber(from),
    outputTokens: readNumber(from),
  };
}

function writeNumber(out: TokenWriter, value: number | undefined): void {
  out.put(value ?? null);
}

function readNumber(from: TokenReader): number | undefined {
  return from.absent() ? undefined : from.number();
}
