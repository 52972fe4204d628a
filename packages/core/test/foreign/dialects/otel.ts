import { type Act, type Style, untilTransfer } from '../app.js';
import { type Step, step } from '../recording.js';

const op = (operation: string) => ({ 'gen_ai.operation.name': operation });

/** Google ADK: a transfer nests in the model call that asked for it, a delegation in its tool. */
function adk(content: boolean): (agent: string, acts: readonly Act[]) => readonly Step[] {
  const call = (tool: string, args: unknown): Step['attributes'] => ({
    ...op('execute_tool'),
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'FunctionTool',
    'gcp.vertex.agent.tool_call_args': content ? JSON.stringify(args) : '{}',
    'gen_ai.tool.call.id': '<not specified>',
  });
  const run = (agent: string, acts: readonly Act[]): Step => {
    const inner: Step[] = [];
    const { taken } = untilTransfer(acts);
    for (const act of acts) {
      if ('tool' in act) inner.push(step(`execute_tool ${act.tool}`, call(act.tool, act.args)));
      else if ('ask' in act) {
        const runner = step('invocation', {}, [run(act.ask, act.run)]);
        inner.push(step(`execute_tool ${act.ask}`, call(act.ask, { request: 'please' }), [runner]));
      } else inner.push(step('execute_tool transfer_to_agent', call('transfer_to_agent', { agentName: act.to })));
    }
    if (acts.length > 1) inner.push(step('execute_tool (merged)', call('(merged tools)', 'N/A')));
    if (taken !== undefined) inner.push(run(taken.to, taken.run));
    const model = step('call_llm', { 'gen_ai.system': 'gcp.vertex.agent', 'gen_ai.agent.name': agent }, inner);
    return step(`invoke_agent ${agent}`, { ...op('invoke_agent'), 'gen_ai.agent.name': agent }, [model]);
  };
  return (agent, acts) => [step('invocation', {}, [run(agent, acts)])];
}

/** Strands: agents of a swarm stand beside each other; arguments are in span events. */
function strands(content: boolean): (agent: string, acts: readonly Act[]) => readonly Step[] {
  const call = (tool: string, args: unknown, steps: readonly Step[] = []): Step => {
    const events = [{ name: 'gen_ai.tool.message', attributes: { role: 'tool', content: JSON.stringify(args) } }];
    const attributes = { ...op('execute_tool'), 'gen_ai.tool.name': tool, 'gen_ai.tool.status': 'success' };
    return step(`execute_tool ${tool}`, attributes, steps, { events: content ? events : [], status: 1 });
  };
  const agentSpan = (agent: string, acts: readonly Act[], answers: boolean): Step => {
    const cycles = acts.map((act) => {
      if ('tool' in act) return call(act.tool, act.args);
      if ('ask' in act) return call(act.ask, { input: 'please' }, [agentSpan(act.ask, act.run, false)]);
      return call('strands_structured_output', { agentId: act.to, message: 'yours' });
    });
    if (answers) cycles.push(call('strands_structured_output', { message: 'done' }));
    const steps = cycles.map((each) => step('execute_agent_loop_cycle', { 'agent_loop.cycle_id': '1' }, [each]));
    const attributes = { ...op('invoke_agent'), 'gen_ai.agent.name': agent, 'gen_ai.agent.id': agent };
    return step(`invoke_agent ${agent}`, attributes, steps);
  };
  const nodes = (agent: string, acts: readonly Act[]): Step[] => {
    const { taken } = untilTransfer(acts);
    const attributes = { ...op('execute_node'), 'gen_ai.agent.id': agent };
    const own = step(`node ${agent}`, attributes, [agentSpan(agent, acts, taken === undefined)]);
    return taken === undefined ? [own] : [own, ...nodes(taken.to, taken.run)];
  };
  return (agent, acts) => [
    step('invoke_swarm desk', { ...op('invoke_swarm'), 'gen_ai.agent.name': 'swarm' }, nodes(agent, acts)),
  ];
}

/** The AI SDK from 7 on: every call is an agent, named by its function id alone, and a delegate nests in a tool. */
function ai7(content: boolean): (agent: string, acts: readonly Act[]) => readonly Step[] {
  const call = (tool: string, args: unknown, steps: readonly Step[] = []): Step => {
    const said = content ? { 'gen_ai.tool.call.arguments': JSON.stringify(args) } : {};
    return step(`execute_tool ${tool}`, { ...op('execute_tool'), 'gen_ai.tool.name': tool, ...said }, steps);
  };
  const run = (agent: string, acts: readonly Act[]): Step => {
    const turns = acts.map((act, at) => {
      const made: Step[] = [step('chat m-1', { ...op('chat'), 'gen_ai.request.model': 'm-1' })];
      if ('tool' in act) made.push(call(act.tool, act.args));
      else if ('ask' in act) {
        for (const each of act.and === undefined ? [act] : [act, act.and]) {
          made.push(call(`delegate_to_${each.ask}`, { text: 'please' }, [run(each.ask, each.run)]));
        }
      }
      return step(`step ${at + 1}`, op('agent_step'), made);
    });
    const attributes = { ...op('invoke_agent'), 'gen_ai.agent.name': agent, 'gen_ai.request.model': 'm-1' };
    return step('invoke_agent m-1', attributes, turns);
  };
  return (agent, acts) => [run(agent, acts)];
}

/** Microsoft's framework and AutoGen: agents beside each other, tools named after the target. */
function named(prefix: string, extra: Step['attributes']): (agent: string, acts: readonly Act[]) => readonly Step[] {
  const runs = (agent: string, acts: readonly Act[]): Step[] => {
    const { taken } = untilTransfer(acts);
    const made: Step[] = [];
    for (const act of acts) {
      const tool = 'tool' in act ? act.tool : 'to' in act ? `${prefix}${act.to}` : undefined;
      if (tool === undefined) continue;
      const args = 'tool' in act ? { 'gen_ai.tool.call.arguments': JSON.stringify(act.args) } : {};
      made.push(step(`execute_tool ${tool}`, { ...op('execute_tool'), 'gen_ai.tool.name': tool, ...args, ...extra }));
    }
    const attributes = { ...op('invoke_agent'), 'gen_ai.agent.name': agent, ...extra };
    const own = step(`invoke_agent ${agent}`, attributes, made);
    return taken === undefined ? [own] : [own, ...runs(taken.to, taken.run)];
  };
  return (agent, acts) => [step('workflow.run', {}, runs(agent, acts))];
}

/** OpenAI Agents under the Python contrib instrumentation: handoffs are operations of their own. */
function contrib(agent: string, acts: readonly Act[]): readonly Step[] {
  const runs = (name: string, all: readonly Act[]): Step[] => {
    const { taken } = untilTransfer(all);
    const made: Step[] = [];
    for (const act of all) {
      if ('tool' in act) {
        const args = { 'gen_ai.tool.call.arguments': JSON.stringify(act.args) };
        made.push(step(`execute_tool ${act.tool}`, { ...op('execute_tool'), 'gen_ai.tool.name': act.tool, ...args }));
      } else if ('to' in act) {
        const sides = { 'gen_ai.handoff.from_agent': name, 'gen_ai.handoff.to_agent': act.to };
        made.push(step(`agent_handoff ${name}`, { ...op('agent_handoff'), ...sides }));
      }
    }
    const own = step(`invoke_agent ${name}`, { ...op('invoke_agent'), 'gen_ai.agent.name': name }, made);
    return taken === undefined ? [own] : [own, ...runs(taken.to, taken.run)];
  };
  return [step('Agent workflow', { ...op('invoke_workflow') }, runs(agent, acts))];
}

/** pydantic-ai: an agent that another one calls runs in its tool. */
function pydantic(agent: string, acts: readonly Act[]): readonly Step[] {
  const run = (name: string, all: readonly Act[]): Step => {
    const made = all.flatMap((act) => {
      if ('tool' in act) {
        const args = { tool_arguments: JSON.stringify(act.args) };
        return [step('running tool', { 'gen_ai.tool.name': act.tool, ...args })];
      }
      if (!('ask' in act)) return [];
      const args = { 'gen_ai.tool.name': `consult_${act.ask}`, tool_arguments: '{"question":"please"}' };
      return [step('running tool', args, [run(act.ask, act.run)])];
    });
    return step('agent run', { agent_name: name, model_name: 'm-1' }, [step('running 1 tool', {}, made)]);
  };
  return [run(agent, acts)];
}

export const otelStyles: readonly Style[] = [
  { name: 'Google ADK', scope: 'gcp.vertex.agent', hands: 'both', spans: adk(true), silent: adk(false) },
  { name: 'Strands', scope: 'strands-agents', hands: 'both', spans: strands(true), silent: strands(false) },
  { name: 'AI SDK 7', scope: 'gen_ai', hands: 'delegation', spans: ai7(true), silent: ai7(false) },
  { name: 'Agent Framework', scope: 'agent_framework', hands: 'transfer', spans: named('handoff_to_', {}) },
  {
    name: 'AutoGen',
    scope: 'autogen',
    hands: 'transfer',
    spans: named('transfer_to_', { 'gen_ai.system': 'autogen' }),
  },
  { name: 'contrib OpenAI Agents', scope: 'opentelemetry.openai_agents', hands: 'transfer', spans: contrib },
  { name: 'pydantic-ai', scope: 'pydantic-ai', hands: 'delegation', spans: pydantic },
];
