import { context, SpanKind, trace } from '@opentelemetry/api';

/**
 * What instrumentations of the OpenAI Agents SDK do without us: they listen to the SDK's own tracing and make an
 * OpenTelemetry span of each agent, model call and tool call, under its parent, with the attributes of the GenAI conventions.
 */
export class OtelTraceProcessor {
  #open = new Map();
  #tracer;

  constructor(tracer) {
    this.#tracer = tracer;
  }

  async onTraceStart({ traceId, name }) {
    this.#open.set(traceId, this.#tracer.startSpan(name, { kind: SpanKind.INTERNAL }));
  }

  async onTraceEnd({ traceId }) {
    this.#end(traceId);
  }

  async onSpanStart({ spanId, parentId, traceId, spanData }) {
    const parent = this.#open.get(parentId ?? traceId);
    const under = parent === undefined ? context.active() : trace.setSpan(context.active(), parent);
    this.#open.set(
      spanId,
      this.#tracer.startSpan(nameOf(spanData), { kind: SpanKind.INTERNAL, attributes: attributesOf(spanData) }, under),
    );
  }

  async onSpanEnd({ spanId, error }) {
    const span = this.#open.get(spanId);
    if (error !== null && error !== undefined) span?.setStatus({ code: 2, message: error.message });
    this.#end(spanId);
  }

  async shutdown() {}

  async forceFlush() {}

  #end(id) {
    this.#open.get(id)?.end();
    this.#open.delete(id);
  }
}

function nameOf({ type, name }) {
  if (type === 'agent') return `invoke_agent ${name}`;
  if (type === 'generation') return 'chat';
  return type === 'function' ? `execute_tool ${name}` : type;
}

function attributesOf(data) {
  const { type, name } = data;
  if (type === 'agent') {
    return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name, 'gen_ai.provider.name': 'openai' };
  }
  if (type === 'function') return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
  if (type === 'handoff') return { 'gen_ai.operation.name': 'handoff' };
  if (type !== 'generation') return {};
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': data.model ?? 'gpt',
  };
}
