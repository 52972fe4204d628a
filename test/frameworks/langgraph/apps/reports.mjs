// Faults that people have reported, small and synthetic.
import { builders, call, say } from './building.mjs';

export function reportScenarios(lib) {
  const { lg, supervisor, swarm, model, agent } = lib;
  const { stateWith, react, transfer, writer, simple } = builders(lib);
  const swarmOf = (agents, defaultActiveAgent, stateSchema) =>
    swarm.createSwarm({ agents, defaultActiveAgent, ...(stateSchema ? { stateSchema } : {}) }).compile();

  return {
    // langgraphjs PR #1206
    async plan_lost() {
      const inner = stateWith('current_plan');
      const planner = react(
        'planner',
        model(call('plan'), call('transfer_to_worker')),
        [writer('plan', { current_plan: 'x' }), swarm.createHandoffTool({ agentName: 'worker' })],
        inner,
      );
      const worker = react('worker', model('done'), [], inner);
      return swarmOf([planner, worker], 'planner').invoke({ messages: [say('go')] });
    },
    // langgraphjs #908
    async nested_supervisors() {
      const math = agent({ name: 'math', model: model('4') });
      const team = supervisor
        .createSupervisor({
          agents: [math],
          llm: model(call('transfer_to_math'), 'team says 4'),
          supervisorName: 'team_lead',
        })
        .compile({ name: 'research_team' });
      const top = supervisor
        .createSupervisor({
          agents: [team],
          llm: model(call('transfer_to_research_team'), 'it is 4'),
          supervisorName: 'top',
        })
        .compile();
      return top.invoke({ messages: [say('2+2')] });
    },
    // langgraph-swarm-py #58
    async two_transfers() {
      const state = stateWith('order_id');
      const both = [...call('transfer_to_two_b'), ...call('transfer_to_two_c')];
      const a = react('two_a', model(both), [transfer('two_b', ['order_id']), transfer('two_c', ['order_id'])], state);
      const b = react('two_b', model('b'), [], state);
      const c = react('two_c', model('c'), [], state);
      return swarmOf([a, b, c], 'two_a', state).invoke({ messages: [say('go')], order_id: 'o1' });
    },
    // The same with tools that run as tasks of their own.
    async two_transfers_sent() {
      const both = [...call('transfer_to_sent_b'), ...call('transfer_to_sent_c')];
      const tools = ['sent_b', 'sent_c'].map((agentName) => swarm.createHandoffTool({ agentName }));
      const a = agent({ name: 'sent_a', model: model(both), tools });
      const [b, c] = ['sent_b', 'sent_c'].map((name) => agent({ name, model: model(name) }));
      return swarmOf([a, b, c], 'sent_a').invoke({ messages: [say('go')] });
    },
    // A command of a node, not of a tool, leaves the agent's graph.
    async command_of_node() {
      const state = stateWith('order_id');
      const leave = new lg.StateGraph(state)
        .addNode(
          'agent',
          async () => new lg.Command({ graph: lg.Command.PARENT, goto: 'go_b', update: { order_id: 'o1' } }),
        )
        .addEdge('__start__', 'agent')
        .compile({ name: 'go_a' });
      const app = new lg.StateGraph(state)
        .addNode('go_a', leave, { ends: ['go_b'] })
        .addNode('go_b', react('go_b', model('b'), [], state))
        .addEdge('__start__', 'go_a')
        .compile();
      return app.invoke({ messages: [say('go')] });
    },
    // langgraph-swarm-py #69
    async tool_beside_transfer() {
      const state = stateWith('ticket_id');
      const both = [...call('open_ticket'), ...call('transfer_to_side_b')];
      const a = react(
        'side_a',
        model(both),
        [simple('open_ticket', async () => JSON.stringify({ ticket_id: 't1' })), transfer('side_b', [])],
        state,
      );
      const b = react('side_b', model('b'), [], state);
      return swarmOf([a, b], 'side_a', state).invoke({ messages: [say('go')] });
    },
    // langgraph-swarm-py #6, langgraph-supervisor-py #208
    async endless() {
      const state = stateWith('order_id');
      const ping = react(
        'ping',
        model(...Array.from({ length: 9 }, () => call('transfer_to_pong'))),
        [transfer('pong', ['order_id'])],
        state,
      );
      const pong = react(
        'pong',
        model(...Array.from({ length: 9 }, () => call('transfer_to_ping'))),
        [transfer('ping', ['order_id'])],
        state,
      );
      return swarmOf([ping, pong], 'ping', state).invoke(
        { messages: [say('go')], order_id: 'o1' },
        { recursionLimit: 8 },
      );
    },
  };
}
