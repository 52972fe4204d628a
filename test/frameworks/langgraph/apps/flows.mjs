// How work moves between agents in LangGraph, one way each.
import { builders, call, say } from './building.mjs';

export function flowScenarios(lib) {
  const { lg, supervisor, swarm, z, model, agent, createAgent } = lib;
  const { Annotation, Command, Send, StateGraph } = lg;
  const { stateWith, react, transfer, simple } = builders(lib);

  return {
    async conditional() {
      const state = stateWith('order_id');
      const llm = model('it is billing');
      const app = new StateGraph(state)
        .addNode('c_triage', async (input) => ({ messages: [await llm.invoke(input.messages)], order_id: 'o1' }))
        .addNode('c_billing', async () => ({ messages: [say('paid')] }))
        .addNode('c_support', async () => ({ messages: [say('helped')] }))
        .addEdge('__start__', 'c_triage')
        .addConditionalEdges('c_triage', () => 'pay', { pay: 'c_billing', help: 'c_support' })
        .compile();
      return app.invoke({ messages: [say('pay')] });
    },
    async narrowed() {
      const state = stateWith('order_id', 'amount');
      const only = Annotation.Root({ order_id: Annotation });
      const app = new StateGraph(state)
        .addNode('x_writer', async () => ({ order_id: 'o1', amount: 3 }))
        .addNode('x_reader', async (input) => ({ messages: [say(JSON.stringify(input))] }), { input: only })
        .addEdge('__start__', 'x_writer')
        .addEdge('x_writer', 'x_reader')
        .compile();
      return app.invoke({ messages: [say('go')] });
    },
    async fan() {
      const state = Annotation.Root({
        parts: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
        summary: Annotation,
      });
      const app = new StateGraph(state)
        .addNode('s_plan', async () => ({}))
        .addNode('s_work', async (input) => ({ parts: [`done ${input.part}`] }))
        .addNode('s_merge', async (input) => ({ summary: input.parts.join(', ') }))
        .addEdge('__start__', 's_plan')
        .addConditionalEdges('s_plan', () => [1, 2, 3].map((part) => new Send('s_work', { part })), ['s_work'])
        .addEdge('s_work', 's_merge')
        .compile();
      return app.invoke({});
    },
    async through_steps() {
      const state = stateWith('order_id', 'customer');
      const app = new StateGraph(state)
        .addNode('f_ask', async () => ({ order_id: 'o1' }))
        .addNode('lookup', async () => ({ customer: 'c1' }))
        .addNode('format', async (input) => ({ messages: [say(`${input.order_id}`)] }))
        .addNode('f_pay', async () => ({ messages: [say('paid')] }))
        .addEdge('__start__', 'f_ask')
        .addEdge('f_ask', 'lookup')
        .addEdge('lookup', 'format')
        .addEdge('format', 'f_pay')
        .compile();
      return app.invoke({ messages: [say('go')] });
    },
    async plain() {
      const state = Annotation.Root({ rows: Annotation, clean: Annotation });
      const app = new StateGraph(state)
        .addNode('extract', async () => ({ rows: [1, 2] }))
        .addNode('load', async ({ rows }) => ({ clean: rows.length }))
        .addEdge('__start__', 'extract')
        .addEdge('extract', 'load')
        .compile();
      return app.invoke({});
    },
    async single() {
      const now = simple('now', async () => 'noon');
      const app = createAgent({ name: 'alone', model: model(call('now'), call('now'), 'it is noon'), tools: [now] });
      return app.invoke({ messages: [say('time?')] });
    },
    async delegation() {
      const helperState = Annotation.Root({ ...lg.MessagesAnnotation.spec, order_id: Annotation, answer: Annotation });
      const helperModel = model('shipped');
      const helper = new StateGraph(helperState)
        .addNode('agent', async (input) => ({
          messages: [await helperModel.invoke(input.messages)],
          answer: 'shipped',
        }))
        .addEdge('__start__', 'agent')
        .compile({ name: 'd_helper' });
      const ask = simple(
        'ask_helper',
        async ({ order_id }) => {
          const { answer } = await helper.invoke({ messages: [say('where is it?')], order_id });
          return JSON.stringify({ answer });
        },
        z.object({ order_id: z.string() }),
      );
      const main = createAgent({
        name: 'd_main',
        model: model(call('ask_helper', { order_id: 'o1' }), 'shipped'),
        tools: [ask],
      });
      return main.invoke({ messages: [say('where is o1?')] }, { configurable: { thread_id: 'delegation' } });
    },
    // The tool knows the order, the agent that calls it does not.
    async looked_up() {
      const helper = new StateGraph(stateWith('order_id'))
        .addNode('agent', async () => ({ messages: [say('shipped')] }))
        .addEdge('__start__', 'agent')
        .compile({ name: 'k_helper' });
      const ask = simple('ask_helper', async () => {
        await helper.invoke({ messages: [say('where is it?')], order_id: 'o1' });
        return 'shipped';
      });
      const main = createAgent({ name: 'k_main', model: model(call('ask_helper'), 'shipped'), tools: [ask] });
      return main.invoke({ messages: [say('where is my order?')] });
    },
    async by_function() {
      const state = stateWith('order_id');
      const first = agent({ name: 'w_first', model: model('pay it') });
      const second = agent({ name: 'w_second', model: model('paid') });
      const app = new StateGraph(state)
        .addNode('first', async (input) => ({
          messages: (await first.invoke({ messages: input.messages })).messages,
          order_id: 'o1',
        }))
        .addNode('second', async (input) => ({
          messages: (await second.invoke({ messages: input.messages })).messages,
        }))
        .addEdge('__start__', 'first')
        .addEdge('first', 'second')
        .compile();
      return app.invoke({ messages: [say('pay')] });
    },
    async answered() {
      const state = stateWith('order_id');
      const worker = react('r_worker', model('done'), [], state);
      const app = supervisor
        .createSupervisor({
          agents: [worker],
          llm: model(call('transfer_to_r_worker'), 'all done'),
          supervisorName: 'r_boss',
          stateSchema: state,
        })
        .compile();
      return app.invoke({ messages: [say('do')], order_id: 'o1' });
    },
    async arguments() {
      const a = react('a_triage', model([{ name: 'transfer_to_a_billing', args: { order_id: 'o1' } }]), [
        transfer('a_billing', [], { schema: z.object({ order_id: z.string() }) }),
      ]);
      const b = react('a_billing', model('paid'));
      return swarm
        .createSwarm({ agents: [a, b], defaultActiveAgent: 'a_triage' })
        .compile()
        .invoke({ messages: [say('pay')] });
    },
    async command_nodes() {
      const app = new StateGraph(stateWith('order_id'))
        .addNode('c_triage', async () => new Command({ goto: 'c_billing', update: { order_id: 'o1', unknown: 1 } }), {
          ends: ['c_billing'],
        })
        .addNode('c_billing', async () => ({ messages: [say('paid')] }))
        .addEdge('__start__', 'c_triage')
        .compile();
      return app.invoke({ messages: [say('pay')] });
    },
  };
}
