import { AGENT_KEY, emptyFacts, ERROR_KEY, isName, OPERATION_KEY, TOOL_KEY } from '../outline-facts.js';
import { LINK, OUTLINE_OPS, type OutlineBuilder, type OutlineFacts, type OutlineOp } from '../outline.js';
import { ATTR_GEN_AI_USAGE_INPUT_TOKENS, ATTR_GEN_AI_USAGE_OUTPUT_TOKENS } from '@seamtrace/semconv';
import { plainCount, plainText, type WantedAttributes } from './attribute.js';
import { codeOf } from './wanted-bytes.js';
import type { Wire } from './wire.js';

const OPERATION = codeOf(OPERATION_KEY);
const AGENT = codeOf(AGENT_KEY);
const TOOL = codeOf(TOOL_KEY);
const ERROR = codeOf(ERROR_KEY);
const INPUT_TOKENS = codeOf(ATTR_GEN_AI_USAGE_INPUT_TOKENS);
const OUTPUT_TOKENS = codeOf(ATTR_GEN_AI_USAGE_OUTPUT_TOKENS);

/** Tells from bytes what an outline keeps of a span, for spans whose attributes all have the plain layout. */
export interface FactsReader {
  /** What `read` fills. */
  readonly facts: OutlineFacts;
  /** `undefined` for a span without an operation that an outline keeps apart. */
  read(wanted: WantedAttributes): OutlineFacts | undefined;
}

/** A text that stood in the request before, and what it came to. */
interface Seen {
  start: number;
  size: number;
  value: number;
}

export function createFactsReader(wire: Wire, outline: OutlineBuilder): FactsReader {
  const { buffer } = wire;
  const facts = emptyFacts();
  const operation: Seen = { start: 0, size: -1, value: LINK };
  const agent: Seen = { start: 0, size: -1, value: 0 };
  const tool: Seen = { start: 0, size: -1, value: 0 };
  const error: Seen = { start: 0, size: -1, value: 0 };

  // Spans of one request mostly repeat what the span before them said.
  function repeats(seen: Seen, start: number, end: number): boolean {
    if (end - start !== seen.size) return false;
    for (let at = seen.size - 1; at >= 0; at--) if (buffer[start + at] !== buffer[seen.start + at]) return false;
    return true;
  }

  function remember(seen: Seen, start: number, end: number, value: number): number {
    seen.start = start;
    seen.size = end - start;
    seen.value = value;
    return value;
  }

  function opOf(places: readonly number[], at: number): OutlineOp {
    const end = places[at + 2] as number;
    const start = plainText(buffer, places[at + 1] as number, end);
    if (start < 0) return LINK;
    if (repeats(operation, start, end)) return operation.value as OutlineOp;
    const op = OUTLINE_OPS.get(wire.text(start, end)) ?? LINK;
    remember(operation, start, end, op);
    return op;
  }

  function nameOf(seen: Seen, places: readonly number[], at: number): number {
    const end = places[at + 2] as number;
    const start = plainText(buffer, places[at + 1] as number, end);
    if (start < 0) return 0;
    if (repeats(seen, start, end)) return seen.value;
    const text = wire.text(start, end);
    return remember(seen, start, end, isName(text) ? outline.name(text) : 0);
  }

  function countOf(places: readonly number[], at: number): number {
    return plainCount(buffer, places[at + 1] as number, places[at + 2] as number);
  }

  return {
    facts,
    read({ places, count }) {
      let operationAt = -1;
      let agentAt = -1;
      let toolAt = -1;
      let errorAt = -1;
      let inputAt = -1;
      let outputAt = -1;
      for (let at = 0; at < count; at += 3) {
        const code = places[at];
        if (code === OPERATION) operationAt = at;
        else if (code === AGENT) agentAt = at;
        else if (code === TOOL) toolAt = at;
        else if (code === ERROR) errorAt = at;
        else if (code === INPUT_TOKENS) inputAt = at;
        else if (code === OUTPUT_TOKENS) outputAt = at;
      }
      facts.op = operationAt < 0 ? LINK : opOf(places, operationAt);
      if (facts.op === LINK) return undefined;
      // In one order, whatever the order of the attributes, so that equal spans make equal outlines.
      facts.agent = agentAt < 0 ? 0 : nameOf(agent, places, agentAt);
      facts.tool = toolAt < 0 ? 0 : nameOf(tool, places, toolAt);
      facts.error = errorAt < 0 ? 0 : nameOf(error, places, errorAt);
      facts.inputTokens = inputAt < 0 ? -1 : countOf(places, inputAt);
      facts.outputTokens = outputAt < 0 ? -1 : countOf(places, outputAt);
      return facts;
    },
  };
}
