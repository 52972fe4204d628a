// Questions to people: `interrupt` and `Command({ resume })`.
import { builders, call, say } from './building.mjs';

export function peopleScenarios(lib) {
  const { lg, swarm, model } = lib;
  const { Command, MemorySaver, StateGraph, interrupt } = lg;
  const { stateWith, react, transfer, simple } = builders(lib);

  const refunds = (checkpointer, questions = 1) => {
    const state = stateWith('order_id');
    const triage = react('h_triage', model(call('transfer_to_h_refund')), [transfer('h_refund', ['order_id'])], state);
    const refund = simple('refund', async () => {
      const answers = [];
      for (let index = 0; index < questions; index += 1) answers.push(interrupt({ amount: 40 + index }));
      return answers.every(({ approved }) => approved) ? 'refunded' : 'refused';
    });
    const payer = react('h_refund', model(call('refund'), 'done'), [refund], state);
    return swarm
      .createSwarm({ agents: [triage, payer], defaultActiveAgent: 'h_triage', stateSchema: state })
      .compile(checkpointer ? { checkpointer } : {});
  };

  return {
    async in_tool() {
      const app = refunds(new MemorySaver());
      const config = { configurable: { thread_id: 'in_tool' } };
      const first = await app.invoke({ messages: [say('refund')], order_id: 'o1' }, config);
      const second = await app.invoke(new Command({ resume: { approved: true } }), config);
      return { asked: first.__interrupt__?.length, last: second.messages.at(-1).content };
    },
    async twice() {
      const app = refunds(new MemorySaver(), 2);
      const config = { configurable: { thread_id: 'twice' } };
      await app.invoke({ messages: [say('refund')], order_id: 'o1' }, config);
      await app.invoke(new Command({ resume: { approved: true } }), config);
      const last = await app.invoke(new Command({ resume: { approved: true } }), config);
      return { last: last.messages.at(-1).content };
    },
    async between() {
      const state = stateWith('order_id', 'approved');
      const app = new StateGraph(state)
        .addNode('n_ask', async () => ({ order_id: 'o1' }))
        .addNode('review', async (input) => ({ approved: interrupt({ order_id: input.order_id }) }))
        .addNode('n_pay', async () => ({ messages: [say('paid')] }))
        .addEdge('__start__', 'n_ask')
        .addEdge('n_ask', 'review')
        .addEdge('review', 'n_pay')
        .compile({ checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: 'between' } };
      await app.invoke({ messages: [say('go')] }, config);
      return app.invoke(new Command({ resume: 'yes' }), config);
    },
    async before() {
      const state = stateWith('order_id');
      const app = new StateGraph(state)
        .addNode('b_first', async () => ({ order_id: 'o1' }))
        .addNode('b_second', async () => ({ messages: [say('done')] }))
        .addEdge('__start__', 'b_first')
        .addEdge('b_first', 'b_second')
        .compile({ checkpointer: new MemorySaver(), interruptBefore: ['b_second'] });
      const config = { configurable: { thread_id: 'before' } };
      await app.invoke({ messages: [say('go')] }, config);
      return app.invoke(null, config);
    },
    async no_checkpointer() {
      return refunds(undefined).invoke({ messages: [say('refund')], order_id: 'o1' });
    },
  };
}
