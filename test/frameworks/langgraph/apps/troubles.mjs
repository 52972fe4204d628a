// Errors everywhere, runs that are called off, and streams.
import { builders, call, say } from './building.mjs';

export function troubleScenarios(lib) {
  const { lg, swarm, model } = lib;
  const { StateGraph } = lg;
  const { stateWith, react, transfer, simple } = builders(lib);
  const state = stateWith('order_id');
  const input = { messages: [say('pay')], order_id: 'o1' };

  const team = (billingModel, tools = [], config = {}) => {
    const triage = react(
      'e_triage',
      model(call('transfer_to_e_billing')),
      [transfer('e_billing', ['order_id'])],
      state,
    );
    const billing = react('e_billing', billingModel, tools, state);
    return swarm
      .createSwarm({ agents: [triage, billing], defaultActiveAgent: 'e_triage', stateSchema: state })
      .compile(config);
  };
  const collect = async (stream, pick) => {
    const chunks = [];
    for await (const chunk of stream) chunks.push(pick(chunk));
    return chunks;
  };

  return {
    async tool_error() {
      const fail = simple('charge', async () => {
        throw new RangeError('too much');
      });
      return team(model(call('charge'), 'it failed'), [fail]).invoke(input);
    },
    async model_error() {
      return team(model(new TypeError('no model'))).invoke(input);
    },
    async first_model_error() {
      const triage = react('e_triage', model(new TypeError('no model')), [transfer('e_billing', [])], state);
      const billing = react('e_billing', model('paid'), [], state);
      return swarm
        .createSwarm({ agents: [triage, billing], defaultActiveAgent: 'e_triage', stateSchema: state })
        .compile()
        .invoke(input);
    },
    async node_error() {
      const app = new StateGraph(state)
        .addNode('e_triage', async () => ({ order_id: 'o1' }))
        .addNode('e_billing', async () => {
          throw new SyntaxError('bad');
        })
        .addEdge('__start__', 'e_triage')
        .addEdge('e_triage', 'e_billing')
        .compile();
      return app.invoke(input);
    },
    async retried_node() {
      let tries = 0;
      const app = new StateGraph(state)
        .addNode('e_triage', async () => ({ order_id: 'o1' }))
        .addNode(
          'e_billing',
          async () => {
            if ((tries += 1) < 3) throw new Error('again');
            return { messages: [say('paid')] };
          },
          { retryPolicy: { maxAttempts: 3, initialInterval: 1, maxInterval: 1, jitter: false, logWarning: false } },
        )
        .addEdge('__start__', 'e_triage')
        .addEdge('e_triage', 'e_billing')
        .compile();
      return app.invoke(input);
    },
    async route_error() {
      const app = new StateGraph(state)
        .addNode('e_triage', async () => ({ order_id: 'o1' }))
        .addNode('e_billing', async () => ({}))
        .addEdge('__start__', 'e_triage')
        .addConditionalEdges(
          'e_triage',
          () => {
            throw new EvalError('no way');
          },
          ['e_billing'],
        )
        .compile();
      return app.invoke(input);
    },
    async unknown_target() {
      const triage = react('e_triage', model(call('transfer_to_ghost')), [transfer('ghost', [])], state);
      const billing = react('e_billing', model('paid'), [], state);
      return swarm
        .createSwarm({ agents: [triage, billing], defaultActiveAgent: 'e_triage', stateSchema: state })
        .compile()
        .invoke(input);
    },
    async called_off() {
      const controller = new globalThis.AbortController();
      const slow = simple('wait', async (_, config) => {
        controller.abort();
        await new Promise(
          (resolve, reject) =>
            config.signal?.addEventListener('abort', () => reject(config.signal.reason)) ?? resolve(),
        );
      });
      return team(model(call('wait'), 'never'), [slow]).invoke(input, { signal: controller.signal });
    },
    async streamed() {
      return collect(await team(model('paid')).stream(input, { streamMode: 'updates' }), (chunk) => Object.keys(chunk));
    },
    async streamed_inside() {
      return collect(
        await team(model('paid')).stream(input, { streamMode: ['updates', 'values'], subgraphs: true }),
        ([path, mode, chunk]) => [path.length, mode, Object.keys(chunk)],
      );
    },
    async events() {
      return collect(
        team(model('paid')).streamEvents(input, { version: 'v2' }),
        ({ event, name }) => `${event} ${name}`,
      );
    },
    async stream_left() {
      for await (const chunk of await team(model('paid')).stream(input)) return Object.keys(chunk);
    },
    async stream_error() {
      return collect(await team(model(new TypeError('no model'))).stream(input), (chunk) => Object.keys(chunk));
    },
    // As instrumentations do that put a manager of their own in the place of the inherited one.
    async managers_replaced() {
      const { CallbackManager } = lib.callbacks;
      const configure = CallbackManager._configureSync;
      CallbackManager._configureSync = () => new CallbackManager();
      try {
        return await team(model('paid')).invoke(input);
      } finally {
        CallbackManager._configureSync = configure;
      }
    },
    async frozen_state() {
      const proxy = new Proxy(
        {},
        {
          get() {
            throw new Error('read');
          },
          ownKeys() {
            throw new Error('listed');
          },
          getPrototypeOf: () => Object.prototype,
        },
      );
      const odd = {
        get order_id() {
          throw new Error('read');
        },
      };
      const app = new StateGraph(stateWith('order_id', 'odd', 'proxy'))
        .addNode('e_triage', async () => Object.freeze({ order_id: 'o1', odd, proxy }))
        .addNode('e_billing', async (given) => ({ messages: [say(typeof given.odd)] }))
        .addEdge('__start__', 'e_triage')
        .addEdge('e_triage', 'e_billing')
        .compile();
      const { messages } = await app.invoke(input);
      return messages.map(({ content }) => content);
    },
  };
}
