import type { Recorded } from './recording.js';

type Attribute = { readonly key: string; readonly value: { readonly stringValue?: string } };

function text({ span }: Recorded, key: string): string | undefined {
  return (span.attributes as Attribute[]).find((each) => each.key === key)?.value.stringValue;
}

/** The attributes under which OpenLLMetry writes what OpenInference says of one span of OpenAI Agents. */
function asOpenLlmetry(one: Recorded): Record<string, string> {
  const kind = text(one, 'openinference.span.kind');
  const handoff = /^handoff to (.+)$/.exec(one.span.name)?.[1];
  if (handoff !== undefined) return { 'traceloop.span.kind': 'handoff', 'gen_ai.handoff.to_agent': handoff };
  const agent = text(one, 'graph.node.id');
  if (kind === 'AGENT' && agent !== undefined) return { 'traceloop.span.kind': 'agent', 'gen_ai.agent.name': agent };
  const tool = text(one, 'tool.name');
  if (kind !== 'TOOL' || tool === undefined) return { 'traceloop.span.kind': 'workflow' };
  const input = text(one, 'input.value') ?? '';
  return { 'traceloop.span.kind': 'tool', 'traceloop.entity.name': tool, 'traceloop.entity.input': input };
}

const shadow = (id: string | undefined) => (id === undefined ? undefined : `2${id.slice(1)}`);

/**
 * Every span of OpenInference told of by OpenLLMetry as well, at the same time: with a tree of its own beside the first, each
 * as the child of the span that it repeats, or in a trace of its own.
 */
export function doubled(recorded: readonly Recorded[], how: 'beside' | 'within' | 'apart'): readonly Recorded[] {
  const copies = recorded.map((one): Recorded => {
    const attributes = Object.entries(asOpenLlmetry(one)).map(([key, stringValue]) => ({
      key,
      value: { stringValue },
    }));
    const { parentSpanId, ...span } = one.span;
    const parent = how === 'within' ? one.span.spanId : shadow(parentSpanId);
    const spanId = shadow(one.span.spanId)!;
    const traceId = how === 'apart' ? shadow(span.traceId)! : span.traceId;
    const placed = { ...span, traceId, spanId, ...(parent === undefined ? {} : { parentSpanId: parent }), attributes };
    return { scope: 'opentelemetry.traceloop', span: placed };
  });
  const first = recorded.map((one): Recorded => {
    const parent = how === 'within' ? shadow(one.span.parentSpanId) : one.span.parentSpanId;
    return parent === undefined ? one : { ...one, span: { ...one.span, parentSpanId: parent } };
  });
  return [...first, ...copies];
}
