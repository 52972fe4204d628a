import { type Act, type Style, untilTransfer } from '../app.js';
import { type Step, step } from '../recording.js';

const OI = 'openinference.span.kind';

/** OpenAI Agents under OpenInference's JavaScript instrumentation. */
function openAiAgents(content: boolean): (agent: string, acts: readonly Act[]) => readonly Step[] {
  const json = (value: unknown) => (content ? JSON.stringify(value) : '__REDACTED__');
  const mime = content ? { 'input.mime_type': 'application/json', 'output.mime_type': 'application/json' } : {};
  const run = (agent: string, acts: readonly Act[], from?: string): Step => {
    const turns = acts.map((act) => {
      if ('tool' in act) {
        const said = { [OI]: 'TOOL', 'tool.name': act.tool, 'input.value': json(act.args), ...mime };
        return step('turn', { [OI]: 'CHAIN' }, [step(act.tool, said)]);
      }
      if ('ask' in act) {
        const inner = step('Agent workflow', { [OI]: 'CHAIN' }, [run(act.ask, act.run)]);
        const said = { [OI]: 'TOOL', 'tool.name': `ask_${act.ask}`, 'input.value': json({ input: 'please' }), ...mime };
        return step('turn', { [OI]: 'CHAIN' }, [step(`ask_${act.ask}`, said, [inner])]);
      }
      const sides = { 'input.value': json({ from_agent: agent }), 'output.value': json({ to_agent: act.to }) };
      const said = { [OI]: 'TOOL', 'tool.name': `handoff_to_${act.to}`, ...sides, ...mime };
      return step('turn', { [OI]: 'CHAIN' }, [step(`handoff to ${act.to}`, said)]);
    });
    const parent = from === undefined ? {} : { 'graph.node.parent_id': from };
    return step(agent, { [OI]: 'AGENT', 'graph.node.id': agent, ...parent }, turns);
  };
  const runs = (agent: string, acts: readonly Act[], from?: string): Step[] => {
    const { taken } = untilTransfer(acts);
    return [run(agent, acts, from), ...(taken === undefined ? [] : runs(taken.to, taken.run, agent))];
  };
  return (agent, acts) => [
    step('Help desk', { [OI]: 'AGENT' }, [step('Help desk', { [OI]: 'CHAIN' }, runs(agent, acts))]),
  ];
}

/** How an instrumentation of LangChain's callbacks writes the steps of LangGraph. */
interface Callbacks {
  step(name: string, kind: 'chain' | 'model', path: string): Step['attributes'];
  tool(name: string, args: unknown, path: string, destination: string | undefined): Step['attributes'];
  readonly handsOver: Step['status'];
}

/** LangGraph: an agent is a node that holds a graph; a transfer is a tool, and an error that moves control. */
function langGraph(
  callbacks: Callbacks,
  kind: 'swarm' | 'supervisor',
): (agent: string, acts: readonly Act[]) => readonly Step[] {
  let id = 0;
  const next = () => `0000-${(id += 1)}`;
  const graph = (agent: string, acts: readonly Act[], prefix: string): Step => {
    const path = `${prefix}${agent}:${next()}`;
    const made: Step[] = [];
    for (const act of [...acts, undefined]) {
      const thought = `${path}|agent:${next()}`;
      made.push(
        step('agent', callbacks.step('agent', 'chain', thought), [
          step('FakeModel', callbacks.step('FakeModel', 'model', thought)),
        ]),
      );
      if (act === undefined || 'ask' in act) continue;
      const place = `${path}|tools:${next()}`;
      const name = 'tool' in act ? act.tool : `transfer_to_${act.to}`;
      const destination = 'to' in act && kind === 'swarm' ? act.to : undefined;
      const call = step(name, callbacks.tool(name, 'tool' in act ? act.args : {}, place, destination), [], {
        status: 1,
      });
      const status = 'to' in act ? callbacks.handsOver : 1;
      made.push(step('tools', callbacks.step('tools', 'chain', place), [call], { status }));
    }
    const own = callbacks.step(agent, 'chain', path);
    const status = acts.some((act) => 'to' in act) ? callbacks.handsOver : 1;
    return step(
      agent,
      own,
      [
        step(
          agent,
          own,
          [step('__start__', callbacks.step('__start__', 'chain', `${path}|__start__:${next()}`)), ...made],
          { status },
        ),
      ],
      { status },
    );
  };
  const nodes = (agent: string, acts: readonly Act[]): Step[] => {
    const { taken } = untilTransfer(acts);
    if (kind === 'swarm') return [graph(agent, acts, ''), ...(taken === undefined ? [] : nodes(taken.to, taken.run))];
    // A supervisor is visited again after each of its workers.
    const visits: Step[] = [];
    let visit: Act[] = [];
    for (const act of acts) {
      if (!('ask' in act)) {
        visit.push(act);
        continue;
      }
      visits.push(graph(agent, [...visit, { to: act.ask }], ''), ...nodes(act.ask, act.run));
      visit = [];
    }
    return [...visits, graph(agent, visit, '')];
  };
  return (agent, acts) => [step('LangGraph', callbacks.step('LangGraph', 'chain', ''), nodes(agent, acts))];
}

const openInference = (content: boolean): Callbacks => ({
  handsOver: 2,
  step: (name, kind, path) => ({
    [OI]: kind === 'model' ? 'LLM' : 'CHAIN',
    'input.value': content ? '{"messages":[]}' : '__REDACTED__',
    metadata: JSON.stringify({ langgraph_node: name, ...(path === '' ? {} : { langgraph_checkpoint_ns: path }) }),
  }),
  // A tool with one argument gets it bare.
  tool: (name, args, path, destination) => ({
    [OI]: 'TOOL',
    'tool.name': name,
    'input.value': content ? String(Object.values(args as object)[0] ?? '{}') : '__REDACTED__',
    ...(content ? { 'input.mime_type': 'text/plain' } : {}),
    metadata: JSON.stringify({
      langgraph_node: 'tools',
      langgraph_checkpoint_ns: path,
      ...(destination === undefined ? {} : { __handoff_destination: destination }),
    }),
  }),
});

const LF = 'langfuse.observation.';
const langfuse = (content: boolean): Callbacks => ({
  handsOver: 0,
  step: (name, kind, path) => ({
    [`${LF}type`]: kind === 'model' ? 'generation' : 'span',
    [`${LF}input`]: content ? '[]' : '***',
    [`${LF}metadata.langgraph_node`]: name,
    ...(path === '' ? {} : { [`${LF}metadata.langgraph_checkpoint_ns`]: path }),
  }),
  tool: (name, args, path, destination) => ({
    [`${LF}type`]: 'tool',
    [`${LF}input`]: content ? JSON.stringify(args) : '***',
    [`${LF}metadata.langgraph_checkpoint_ns`]: path,
    ...(destination === undefined ? {} : { [`${LF}metadata.__handoff_destination`]: destination }),
  }),
});

/** LangSmith's export: only functions that the app wraps have spans, with the attributes of whatever ran in them last. */
function langSmith(content: boolean): (agent: string, acts: readonly Act[]) => readonly Step[] {
  const LS = 'langsmith.metadata.langgraph_checkpoint_ns';
  let id = 0;
  const nodes = (agent: string, acts: readonly Act[]): Step[] => {
    const { taken } = untilTransfer(acts);
    const path = `${agent}:0000-${(id += 1)}`;
    const made = acts.flatMap((act) => {
      if ('ask' in act) return [];
      const name = 'tool' in act ? act.tool : `transfer_to_${act.to}`;
      const args = 'tool' in act ? act.args : { args: [{}, { metadata: { thread: `${id}` } }] };
      const said = { 'langsmith.span.kind': 'tool', 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
      const prompt = content ? JSON.stringify('tool' in act ? { args: [args, { run: `${(id += 1)}` }] } : args) : '{}';
      return [step(name, { ...said, 'gen_ai.prompt': prompt, [LS]: `${path}|tools:0000-${(id += 1)}` })];
    });
    const own = {
      'langsmith.span.kind': 'chain',
      'gen_ai.operation.name': 'chain',
      'langsmith.trace.name': '__start__',
    };
    const span = step(agent, { ...own, [LS]: `${path}|__start__:0000-${(id += 1)}` }, made, { endsEarly: true });
    return [span, ...(taken === undefined ? [] : nodes(taken.to, taken.run))];
  };
  return (agent, acts) => {
    const root = { 'langsmith.span.kind': 'chain', 'gen_ai.operation.name': 'chain', [LS]: '__start__:0000-0' };
    return [step('help_desk', root, nodes(agent, acts), { endsEarly: true })];
  };
}

/** OpenLLMetry of OpenAI Agents in Python: everything ends in its kind, a handoff names both sides. */
function openLlmetry(agent: string, acts: readonly Act[]): readonly Step[] {
  const kind = (of: string, name: string) => ({ 'traceloop.span.kind': of, 'traceloop.entity.name': name });
  const runs = (name: string, all: readonly Act[]): Step[] => {
    const { taken } = untilTransfer(all);
    const made = all.flatMap((act) => {
      if ('tool' in act) {
        const input = { 'traceloop.entity.input': JSON.stringify({ inputs: act.args, metadata: { at: name } }) };
        return [step(`${act.tool}.tool`, { ...kind('tool', act.tool), ...input })];
      }
      if (!('to' in act)) return [];
      const sides = { 'gen_ai.handoff.from_agent': name, 'gen_ai.handoff.to_agent': act.to };
      return [step(`${name} → ${act.to}.handoff`, { ...kind('handoff', name), ...sides })];
    });
    const own = step(`${name}.agent`, { ...kind('agent', name), 'gen_ai.agent.name': name }, made);
    return taken === undefined ? [own] : [own, ...runs(taken.to, taken.run)];
  };
  return [step('Agent Workflow', kind('workflow', 'Agent Workflow'), runs(agent, acts))];
}

/** The AI SDK before 7: calls of tools beside calls of the model, a delegate within its tool. */
function ai6(content: boolean): (agent: string, acts: readonly Act[]) => readonly Step[] {
  const run = (agent: string, acts: readonly Act[]): Step => {
    const said = (operation: string) => ({ 'ai.operationId': operation, 'ai.telemetry.functionId': agent });
    const call = (name: string, args: unknown, steps: readonly Step[] = []): Step => {
      const input = content ? { 'ai.toolCall.args': JSON.stringify(args) } : {};
      return step('ai.toolCall', { ...said('ai.toolCall'), 'ai.toolCall.name': name, ...input }, steps);
    };
    const made = acts.flatMap((act) => {
      const thought = step('ai.generateText.doGenerate', said('ai.generateText.doGenerate'));
      if ('tool' in act) return [thought, call(act.tool, act.args)];
      if (!('ask' in act)) return [thought];
      const asked = act.and === undefined ? [act] : [act, act.and];
      return [
        thought,
        ...asked.map((each) => call(`delegate_to_${each.ask}`, { text: 'please' }, [run(each.ask, each.run)])),
      ];
    });
    return step('ai.generateText', said('ai.generateText'), made);
  };
  return (agent, acts) => [run(agent, acts)];
}

/** Mastra with its bridge: one model span around the whole run, chunks that repeat each call, delegates in `agent-` tools. */
function mastra(content: boolean): (agent: string, acts: readonly Act[]) => readonly Step[] {
  const type = (of: string, operation: string) => ({ 'mastra.span.type': of, 'gen_ai.operation.name': operation });
  const run = (agent: string, acts: readonly Act[]): Step => {
    const steps = acts.map((act) => {
      const name = 'tool' in act ? act.tool : `agent-${'ask' in act ? act.ask : act.to}`;
      const args = 'tool' in act ? act.args : { prompt: 'please' };
      const input = content ? { 'gen_ai.tool.call.arguments': JSON.stringify(args) } : {};
      const call = { ...type('tool_call', 'execute_tool'), 'gen_ai.tool.name': name, ...input };
      const inner = 'ask' in act ? [run(act.ask, act.run)] : [];
      const chunk = step(`model_chunk ${agent}`, {
        ...type('model_chunk', 'model_chunk'),
        'mastra.metadata.toolName': name,
      });
      return step(`model_step ${agent}`, type('model_step', 'model_step'), [
        step(`model_inference ${agent}`, type('model_inference', 'model_inference'), [chunk]),
        step(`execute_tool ${name}`, call, inner),
      ]);
    });
    const model = step('chat m-1', { ...type('model_generation', 'chat'), 'gen_ai.agent.name': agent }, steps);
    return step(`invoke_agent ${agent}`, { ...type('agent_run', 'invoke_agent'), 'gen_ai.agent.name': agent }, [model]);
  };
  return (agent, acts) => [run(agent, acts)];
}

const OI_LANGCHAIN = '@arizeai/openinference-instrumentation-langchain';
const OI_AGENTS = '@arizeai/openinference-instrumentation-openai-agents';

export const otherStyles: readonly Style[] = [
  {
    name: 'OpenAI Agents, OpenInference',
    scope: OI_AGENTS,
    hands: 'both',
    spans: openAiAgents(true),
    silent: openAiAgents(false),
  },
  {
    name: 'LangGraph swarm, OpenInference',
    scope: OI_LANGCHAIN,
    hands: 'transfer',
    spans: langGraph(openInference(true), 'swarm'),
    silent: langGraph(openInference(false), 'swarm'),
  },
  {
    name: 'LangGraph supervisor, OpenInference',
    scope: OI_LANGCHAIN,
    hands: 'delegation',
    spans: langGraph(openInference(true), 'supervisor'),
    silent: langGraph(openInference(false), 'supervisor'),
  },
  {
    name: 'LangGraph swarm, Langfuse',
    scope: 'langfuse-sdk',
    hands: 'transfer',
    spans: langGraph(langfuse(true), 'swarm'),
    silent: langGraph(langfuse(false), 'swarm'),
  },
  {
    name: 'LangGraph nodes, LangSmith',
    scope: 'langsmith',
    hands: 'transfer',
    spans: langSmith(true),
    silent: langSmith(false),
  },
  { name: 'OpenAI Agents, OpenLLMetry', scope: 'opentelemetry.traceloop', hands: 'transfer', spans: openLlmetry },
  { name: 'AI SDK 6', scope: 'ai', hands: 'delegation', spans: ai6(true), silent: ai6(false) },
  { name: 'Mastra', scope: '@mastra/otel-bridge', hands: 'delegation', spans: mastra(true), silent: mastra(false) },
];
