// The six verdicts, each caused in the way in which LangGraph really loses context.

const say = (content) => ({ role: 'user', content });

export function verdictScenarios({ lg, prebuilt, swarm, supervisor, tool, z, model, ToolMessage, agent }) {
  const { Annotation, Command, MessagesAnnotation, StateGraph, getCurrentTaskInput } = lg;
  const stateWith = (...keys) =>
    Annotation.Root({
      ...MessagesAnnotation.spec,
      activeAgent: Annotation,
      ...Object.fromEntries(keys.map((key) => [key, Annotation])),
    });
  const react = (name, llm, tools = [], stateSchema) =>
    prebuilt.createReactAgent({ name, llm, tools, ...(stateSchema ? { stateSchema } : {}) });

  /** A transfer of the application's own that takes members of the state along. */
  const transfer = (to, keys) =>
    tool(
      async (_, config) => {
        const state = getCurrentTaskInput();
        const done = new ToolMessage({
          content: 'transferred',
          tool_call_id: config.toolCall.id,
          name: `transfer_to_${to}`,
        });
        return new Command({
          goto: to,
          graph: Command.PARENT,
          update: {
            messages: [...state.messages, done],
            activeAgent: to,
            ...Object.fromEntries(keys.map((key) => [key, state[key]])),
          },
        });
      },
      { name: `transfer_to_${to}`, description: 'hand over', schema: z.object({}) },
    );

  return {
    async passed() {
      const state = stateWith('order_id');
      const triage = react(
        'p_triage',
        model([{ name: 'transfer_to_p_billing', args: {} }]),
        [transfer('p_billing', ['order_id'])],
        state,
      );
      const billing = react('p_billing', model('paid'), [], state);
      const app = swarm
        .createSwarm({ agents: [triage, billing], defaultActiveAgent: 'p_triage', stateSchema: state })
        .compile();
      return app.invoke({ messages: [say('pay')], order_id: 'o1' }, { configurable: { thread_id: 'passed' } });
    },
    async packaging() {
      const inner = stateWith('current_plan');
      const plan = tool(
        async (_, config) =>
          new Command({
            update: {
              current_plan: 'step 1',
              messages: [new ToolMessage({ content: 'noted', tool_call_id: config.toolCall.id })],
            },
          }),
        { name: 'plan', description: 'plan', schema: z.object({}) },
      );
      const planner = react(
        'l_planner',
        model([{ name: 'plan', args: {} }], [{ name: 'transfer_to_l_worker', args: {} }]),
        [plan, swarm.createHandoffTool({ agentName: 'l_worker' })],
        inner,
      );
      const worker = react('l_worker', model('done'), [], inner);
      const app = swarm.createSwarm({ agents: [planner, worker], defaultActiveAgent: 'l_planner' }).compile();
      return app.invoke({ messages: [say('go')] });
    },
    async ingestion() {
      const state = stateWith('order_id');
      const math = agent({ name: 'i_math', model: model('4') });
      const app = supervisor
        .createSupervisor({
          agents: [math],
          llm: model([{ name: 'transfer_to_i_math', args: {} }], 'it is 4'),
          supervisorName: 'i_boss',
          stateSchema: state,
        })
        .compile();
      return app.invoke({ messages: [say('2+2')], order_id: 'o1' });
    },
    async upstream() {
      const state = stateWith('order_id');
      const triage = react(
        'u_triage',
        model([{ name: 'transfer_to_u_billing', args: {} }]),
        [swarm.createHandoffTool({ agentName: 'u_billing' })],
        state,
      );
      const billing = react('u_billing', model('paid'), [], state);
      const app = swarm
        .createSwarm({ agents: [triage, billing], defaultActiveAgent: 'u_triage', stateSchema: state })
        .compile();
      return app.invoke({ messages: [say('pay')] });
    },
    async misrouted() {
      const state = stateWith('order_id');
      const app = new StateGraph(state)
        .addNode('m_triage', react('m_triage', model('billing it is'), [], state))
        .addNode('m_billing', react('m_billing', model('paid'), [], state))
        .addNode('m_support', react('m_support', model('helped'), [], state))
        .addEdge('__start__', 'm_triage')
        // The map is crossed: what the route calls billing leads to support.
        .addConditionalEdges('m_triage', () => 'm_billing', { m_billing: 'm_support', m_support: 'm_billing' })
        .compile();
      return app.invoke({ messages: [say('pay')], order_id: 'o1' });
    },
    async text() {
      const triage = agent({
        name: 't_triage',
        model: model([{ name: 'transfer_to_t_billing', args: {} }]),
        tools: [swarm.createHandoffTool({ agentName: 't_billing' })],
      });
      const billing = agent({ name: 't_billing', model: model('paid') });
      const app = swarm.createSwarm({ agents: [triage, billing], defaultActiveAgent: 't_triage' }).compile();
      return app.invoke({ messages: [say('order_id is o1')] });
    },
  };
}
