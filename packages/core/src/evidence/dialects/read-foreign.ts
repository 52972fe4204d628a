import { aiSdk } from './ai-sdk.js';
import { bareGenAi } from './bare-genai.js';
import { crewAi } from './crewai.js';
import { langfuse } from './langfuse.js';
import { langSmith } from './langsmith.js';
import { mastra } from './mastra.js';
import { openInference } from './openinference.js';
import { otelGenAi } from './otel-genai.js';
import { traceloop } from './traceloop.js';
import type { Dialect, ForeignSign, ForeignSpan } from './types.js';

/** In the order of detection: the first that knows a span reads it. What only a scope's name tells comes last. */
const DIALECTS: readonly Dialect[] = [
  openInference,
  otelGenAi,
  traceloop,
  langSmith,
  mastra,
  langfuse,
  aiSdk,
  bareGenAi,
  crewAi,
];

/** What a span with nothing of ours on it says in the dialect that it speaks; `undefined` where it speaks none. */
export function readForeign(span: ForeignSpan): ForeignSign | undefined {
  for (const dialect of DIALECTS) {
    const sign = dialect.read(span);
    if (sign !== undefined) return { ...sign, dialect: dialect.name };
  }
  return undefined;
}
