import type { AttributeValue } from '../../decode/types.js';
import { modeOfTransfer } from '../transfer-mode.js';
import { type Json, isMembers, jsonOf, membersOf, textIn } from './call-arguments.js';
import { toolSign } from './tool-sign.js';
import { transferOf } from './transfer.js';
import { type Dialect, type ForeignSign, type ForeignSpan, MARK } from './types.js';

/**
 * OpenTelemetry's GenAI conventions: `gen_ai.operation.name`. Google ADK, Strands, Microsoft Agent Framework, AutoGen,
 * pydantic-ai, Mastra and the AI SDK from 7 on write it too, each with habits of its own, which are read here. Operations
 * that are no standard ones are left to the dialects that make them.
 */
export const otelGenAi: Dialect = {
  name: 'gen_ai',
  read(span) {
    switch (span.text('gen_ai.operation.name')) {
      case 'invoke_agent':
        return isContainer(span) ? MARK : run(span);
      case 'execute_tool':
        return tool(span);
      case 'agent_handoff':
      case 'handoff':
        return handoff(span);
      case 'goto':
        return goto(span);
      default:
        return undefined;
    }
  },
};

/** OpenLLMetry calls a crew, its agents and their tasks `invoke_agent` alike; only its own kind tells them apart. */
function isContainer(span: ForeignSpan): boolean {
  const kind = span.text('traceloop.span.kind');
  return kind !== undefined && kind !== 'agent';
}

function run(span: ForeignSpan): ForeignSign {
  const agent = span.text('gen_ai.agent.name') ?? span.text('agent_name') ?? named(span);
  return { role: 'run', agent, receivedFrom: span.text('gen_ai.agent.handoff_parent'), asks: asksIn(span) };
}

/** The rest of the span's name, unless it is that of the model, as the AI SDK writes it for an agent without a name. */
function named(span: ForeignSpan): string | undefined {
  const rest = /^invoke_agent (.+)$/.exec(span.name)?.[1];
  return rest === span.text('gen_ai.request.model') ? undefined : rest;
}

/** Handoffs whose tools the app itself takes up: they stand in the agent's last answer only. */
function asksIn(span: ForeignSpan): readonly string[] | undefined {
  if (span.scope !== 'gen_ai') return undefined;
  const messages = jsonOf(span.value('gen_ai.output.messages'));
  const last = Array.isArray(messages) ? (messages as readonly Json[]).at(-1) : undefined;
  const parts = isMembers(last) && Array.isArray(last['parts']) ? (last['parts'] as readonly Json[]) : [];
  const asks: string[] = [];
  for (const part of parts) {
    if (!isMembers(part) || part['type'] !== 'tool_call' || typeof part['name'] !== 'string') continue;
    const given = part['arguments'];
    const args = typeof given === 'string' ? jsonOf(given) : given;
    const transfer = transferOf(part['name'], isMembers(args) ? args : undefined);
    if (typeof transfer === 'object' && transfer.target !== undefined) asks.push(transfer.target);
  }
  return asks.length === 0 ? undefined : asks;
}

function tool(span: ForeignSpan): ForeignSign {
  const name = span.text('gen_ai.tool.name') ?? /^execute_tool (.+)$/.exec(span.name)?.[1];
  // ADK adds one span for all calls of a turn.
  if (name === undefined || name === '(merged tools)') return MARK;
  const args = argumentsOf(span);
  if (name === 'strands_structured_output') return structuredOutput(span, args);
  const target = span.text('gen_ai.transfer.target.name');
  const destination = target ?? span.text('langsmith.metadata.__handoff_destination');
  const sign = toolSign(span, {
    tool: name,
    args,
    agent: span.text('langsmith.metadata.lc_agent_name'),
    place: span.text('langsmith.metadata.langgraph_checkpoint_ns'),
    failed: span.text('gen_ai.tool.status') === 'error' ? true : undefined,
    destination,
  });
  const mode = modeOfTransfer(span.text('gen_ai.transfer.mode'));
  if (mode !== undefined) return { ...sign, role: 'ask', mode };
  const delegated = span.text('mastra.span.type') === undefined ? undefined : /^agent-(.+)$/.exec(name)?.[1];
  return delegated === undefined ? sign : { role: 'ask', tool: name, target: delegated, mode: 'delegation' };
}

/** A swarm of Strands hands over by the tool with which its agents answer: only the argument tells which it was. */
function structuredOutput(span: ForeignSpan, args: Json | undefined): ForeignSign {
  const target = isMembers(args) ? textIn(args, 'agentId', 'agent_id') : undefined;
  if (target === undefined && args !== undefined) return MARK;
  return { role: 'ask', tool: 'strands_structured_output', target, mode: 'transfer' };
}

const ARGUMENT_KEYS = [
  'gen_ai.tool.call.arguments',
  'gcp.vertex.agent.tool_call_args',
  'tool_arguments',
  'input.value',
];

function argumentsOf(span: ForeignSpan): Json | undefined {
  for (const key of ARGUMENT_KEYS) {
    const json = jsonOf(span.value(key));
    if (json !== undefined) return json;
  }
  const said = span.eventText('gen_ai.tool.message', 'content');
  return said === undefined ? wrappedArguments(span.value('gen_ai.prompt')) : jsonOf(said);
}

/** LangSmith notes all arguments of the function that it wraps; behind the tool's own stands the config of the run. */
export function wrappedArguments(value: AttributeValue | undefined): Json | undefined {
  const json = jsonOf(value);
  if (!isMembers(json) || Object.keys(json).length !== 1) return json;
  const all = json['args'];
  return Array.isArray(all) ? (all as readonly Json[])[0] : json;
}

function handoff(span: ForeignSpan): ForeignSign {
  const from = span.text('gen_ai.handoff.from_agent') ?? span.text('gen_ai.agent.handoff.source.name');
  const to = span.text('gen_ai.handoff.to_agent') ?? span.text('gen_ai.agent.handoff.target.name');
  return {
    role: 'ask',
    agent: known(from),
    target: known(to),
    stated: true,
    mode: modeOfTransfer(span.text('gen_ai.transfer.mode')) ?? 'transfer',
  };
}

/** OpenLLMetry says `unknown` where it does not know. */
function known(name: string | undefined): string | undefined {
  return name === 'unknown' ? undefined : name;
}

function goto(span: ForeignSpan): ForeignSign {
  const agent = known(span.text('langgraph.command.source_node'));
  const target = known(span.text('langgraph.command.goto_node'));
  const several = membersOf(span.value('langgraph.command.goto_nodes'));
  if (target === undefined && several === undefined) return MARK;
  return { role: 'ask', agent, target, stated: true };
}
