// Many runs at once through one compiled graph, and what is left of a run when it is over.
import { builders, call, say } from './building.mjs';

const RUNS = 200;
const pause = (turns) => new Promise((resolve) => setTimeout(resolve, turns % 5));

export function crowdScenarios(lib) {
  const { lg, swarm, model } = lib;
  const { MemorySaver, StateGraph } = lg;
  const { stateWith, react, transfer } = builders(lib);

  return {
    /** Every second run has no order. */
    async at_once() {
      const state = stateWith('order_id');
      const triage = react(
        'q_triage',
        model(...Array.from({ length: RUNS }, () => call('transfer_to_q_billing'))),
        [transfer('q_billing', ['order_id'])],
        state,
      );
      const billing = react('q_billing', model(...Array.from({ length: RUNS }, () => 'paid')), [], state);
      const app = swarm
        .createSwarm({ agents: [triage, billing], defaultActiveAgent: 'q_triage', stateSchema: state })
        .compile({ checkpointer: new MemorySaver() });
      const runs = Array.from({ length: RUNS }, async (_, index) => {
        await pause(index);
        const order = index % 2 === 0 ? { order_id: `o${index}` } : {};
        const { order_id } = await app.invoke(
          { messages: [say('pay')], ...order },
          { configurable: { thread_id: `run-${index}` } },
        );
        return order_id ?? null;
      });
      return Promise.all(runs);
    },
    async collected() {
      const refs = [];
      await (async () => {
        const state = stateWith('order_id');
        const order = { id: 'o1' };
        refs.push(new WeakRef(order));
        const app = new StateGraph(state)
          .addNode('q_left', async () => ({ order_id: order }))
          .addNode('q_join', async () => ({ messages: [say('done')] }))
          .addEdge('__start__', 'q_left')
          .addEdge('q_left', 'q_join')
          .compile();
        refs.push(new WeakRef(app));
        await app.invoke({ messages: [say('go')] });
      })();
      for (let turn = 0; turn < 20; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        globalThis.gc?.();
      }
      return refs.map((ref) => ref.deref() === undefined);
    },
  };
}
