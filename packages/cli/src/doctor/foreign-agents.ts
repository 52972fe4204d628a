import type { AttributeValue } from '@seamtrace/core';
import type { AnySpan } from './any-span.js';

/** What a span of another instrumentation is, as far as handoffs go. */
export type AgentWork = 'run' | 'tool';

const OPERATIONS: ReadonlyMap<string, AgentWork> = new Map([
  ['invoke_agent', 'run'],
  ['create_agent', 'run'],
  ['agent_handoff', 'run'],
  ['handoff', 'run'],
  ['execute_tool', 'tool'],
]);
/** Keys by which the instrumentations in use mark agents and tools, where they do not follow OpenTelemetry's. */
const KINDS: Readonly<Record<string, ReadonlyMap<string, AgentWork>>> = {
  'openinference.span.kind': new Map([
    ['AGENT', 'run'],
    ['TOOL', 'tool'],
  ]),
  'traceloop.span.kind': new Map([
    ['agent', 'run'],
    ['handoff', 'run'],
    ['tool', 'tool'],
  ]),
  'langfuse.observation.type': new Map([
    ['agent', 'run'],
    ['tool', 'tool'],
  ]),
  'mastra.span.type': new Map([
    ['agent_run', 'run'],
    ['tool_call', 'tool'],
  ]),
  'ai.operationId': new Map([['ai.toolCall', 'tool']]),
};

/** What kind of work of an agent a span stands for; `undefined` for every other span. */
export function agentWork({ attributes }: AnySpan): AgentWork | undefined {
  const operation = attributes.get('gen_ai.operation.name');
  if (typeof operation === 'string') return OPERATIONS.get(operation);
  for (const [key, kinds] of Object.entries(KINDS)) {
    const kind: AttributeValue | undefined = attributes.get(key);
    const work = typeof kind === 'string' ? kinds.get(kind) : undefined;
    if (work !== undefined) return work;
  }
  return undefined;
}

/** The agent that a span names. */
export function agentNamed({ attributes }: AnySpan): string | undefined {
  for (const key of ['gen_ai.agent.name', 'agent.name', 'graph.node.id']) {
    const name = attributes.get(key);
    if (typeof name === 'string' && name !== '') return name;
  }
  return undefined;
}
