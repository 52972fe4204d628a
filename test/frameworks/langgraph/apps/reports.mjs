// Faults that people have reported, small and synthetic.
import { builders, call, say } from './building.mjs';

export function reportScenarios(lib) {
  const { supervisor, swarm, model, agent } = lib;
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
