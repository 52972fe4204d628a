import { type Context, type Span, trace } from '@opentelemetry/api';
import type { AgentRun } from './agent-run.js';
import { currentScope } from './run-scope.js';

/**
 * A context whose active span is that of the agent, or the tool, which is working at the moment of asking. The SDK's run
 * is one function call in which agents follow each other, so no single span can be made active for it: with this, spans
 * that the application or other instrumentations start inside a run still find their place. A span that somebody makes
 * active inside stays active, as in every context.
 */
export function liveContext(base: Context, run: AgentRun): Context {
  return new LiveContext(trace.setSpan(base, PLACE), run);
}

const PLACE = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 });

class LiveContext implements Context {
  constructor(
    private readonly inner: Context,
    private readonly run: AgentRun,
  ) {}

  getValue(key: symbol): unknown {
    const value = this.inner.getValue(key);
    return value === PLACE ? workingSpan(this.run) : value;
  }

  setValue(key: symbol, value: unknown): Context {
    return new LiveContext(this.inner.setValue(key, value), this.run);
  }

  deleteValue(key: symbol): Context {
    return new LiveContext(this.inner.deleteValue(key), this.run);
  }
}

/** The span of the innermost work: the tool call of this call chain, else the agent whose turn it is. */
export function workingSpan(run: AgentRun): Span | undefined {
  const scope = currentScope();
  const tool = scope?.run === run ? scope.tool : undefined;
  if (tool !== undefined && tool.endedAt === undefined) return tool.span;
  return run.turn?.span ?? run.lastSpan ?? trace.getSpan(run.baseContext);
}
