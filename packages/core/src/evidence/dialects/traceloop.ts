import { type Json, isMembers, jsonOf } from './call-arguments.js';
import { toolSign } from './tool-sign.js';
import { transferOf } from './transfer.js';
import { type Dialect, type ForeignSign, type ForeignSpan, MARK } from './types.js';

const HANDOFF = /^(.+) → (.+)\.handoff$/;

/** OpenLLMetry (Traceloop): `traceloop.span.kind`. */
export const traceloop: Dialect = {
  name: 'traceloop',
  read(span) {
    switch (span.text('traceloop.span.kind')) {
      case undefined:
        return undefined;
      case 'agent':
        return { role: 'run', agent: agentOf(span), receivedFrom: span.text('gen_ai.agent.handoff_parent') };
      case 'tool':
        return tool(span);
      case 'handoff':
        return handoff(span);
      case 'task':
        return task(span);
      default:
        return MARK;
    }
  },
};

function agentOf(span: ForeignSpan): string {
  return span.text('gen_ai.agent.name') ?? span.text('traceloop.entity.name') ?? span.name.replace(/\.agent$/, '');
}

function tool(span: ForeignSpan): ForeignSign {
  const name = span.text('gen_ai.tool.name') ?? span.text('traceloop.entity.name') ?? span.name.replace(/\.tool$/, '');
  const args = span.value('gen_ai.tool.call.arguments');
  return toolSign(span, { tool: name, args: args === undefined ? inputOf(span) : jsonOf(args) });
}

/** The input is noted with tags and metadata around it, which differ from call to call. */
function inputOf(span: ForeignSpan): Json | undefined {
  const json = jsonOf(span.value('traceloop.entity.input'));
  if (!isMembers(json)) return json;
  for (const name of ['inputs', 'input', 'input_str', 'args', 'kwargs']) {
    const inner = json[name];
    if (typeof inner === 'string') return jsonOf(inner) ?? (inner === '' ? undefined : inner);
    if (inner !== undefined && inner !== null && Object.keys(inner as object).length > 0) return inner;
  }
  return json;
}

function handoff(span: ForeignSpan): ForeignSign {
  const [, from, to] = HANDOFF.exec(span.name) ?? [];
  const agent = span.text('gen_ai.handoff.from_agent') ?? from;
  const target = span.text('gen_ai.handoff.to_agent') ?? to;
  return { role: 'ask', agent: known(agent), target: known(target), stated: true, mode: 'transfer' };
}

function known(name: string | undefined): string | undefined {
  return name === 'unknown' ? undefined : name;
}

/** In JavaScript a tool of LangChain is a task like any step: only a tool that hands over shows by its name. */
function task(span: ForeignSpan): ForeignSign {
  const name = span.text('traceloop.entity.name') ?? span.name.replace(/\.task$/, '');
  return typeof transferOf(name, undefined) === 'object' ? toolSign(span, { tool: name, args: inputOf(span) }) : MARK;
}
