/* global AbortController, gc */
import { call, says, transfer } from './kit.mjs';

// Each scenario names its agents after itself, so that each has a route of its own: `<name>_triage` to `<name>_billing`.

const order = { order_id: 'o-1' };

/** A triage that hands over to a billing desk. */
function desks({ agent, withOrder }, n, { billing = {}, offered = {}, args = order, triage = {}, turns } = {}) {
  const target = agent(`${n}_billing`, turns?.billing, billing);
  return agent(`${n}_triage`, turns?.triage ?? [[transfer(`${n}_billing`, args)]], {
    handoffs: [withOrder(target, offered)],
    ...triage,
  });
}

export async function passed(kit, n) {
  await kit.run(desks(kit, n));
}

export async function passedStreamed(kit, n) {
  await kit.run(desks(kit, n), { stream: true });
}

/** Nobody ever put the key anywhere. */
export async function upstream({ agent, run }, n) {
  const triage = agent(`${n}_triage`, [[transfer(`${n}_billing`)]], { handoffs: [agent(`${n}_billing`)] });
  await run(triage);
}

/** openai-agents-js #1760: a filter rewrites the arguments of the handoff call, and no event of the SDK says so. */
export async function filtered(kit, n) {
  const { RunHandoffCallItem } = kit.sdk;
  const emptied = (item) =>
    item instanceof RunHandoffCallItem
      ? new RunHandoffCallItem({ ...item.rawItem, arguments: '{}' }, item.agent)
      : item;
  const inputFilter = (data) => ({ ...data, newItems: data.newItems.map(emptied) });
  await kit.run(desks(kit, n, { offered: { inputFilter } }));
}

/** openai-agents-js #1760: the handoff call itself is filtered away. */
export async function removed(kit, n) {
  const inputFilter = (data) => ({
    ...data,
    newItems: data.newItems.filter(({ type }) => !type.startsWith('handoff_')),
  });
  await kit.run(desks(kit, n, { offered: { inputFilter } }));
}

/** `instructions` that replace what the agents share. */
export async function replaced(kit, n) {
  const billing = {
    instructions: ({ context }) => {
      delete context.order_id;
      return 'You settle.';
    },
  };
  const first = kit.agent(`${n}_triage`, [[transfer(`${n}_billing`)]], {
    handoffs: [kit.agent(`${n}_billing`, [], billing)],
  });
  await kit.run(first, { context: { ...order } });
}

/** A handoff that declares one agent and gives control to another one. */
export async function misrouted({ sdk, agent, run }, n) {
  const support = agent(`${n}_support`);
  const misroute = new sdk.Handoff(agent(`${n}_billing`), async () => support);
  await run(agent(`${n}_triage`, [[transfer(`${n}_billing`, order)]], { handoffs: [misroute] }));
}

/** The key stands in a tool's result only, from where a model may or may not take it. */
export async function toolResultOnly({ agent, makeTool, run }, n) {
  const triage = agent(`${n}_triage`, [[call('find')], [transfer(`${n}_billing`)]], {
    tools: [makeTool('find', async () => JSON.stringify(order))],
    handoffs: [agent(`${n}_billing`)],
  });
  await run(triage);
}

/** Nothing but the transcript goes across. */
export async function textOnly({ agent, run }, n) {
  const triage = agent(`${n}_triage`, [[transfer(`${n}_billing`)]], { handoffs: [agent(`${n}_billing`)] });
  await run(triage, { context: undefined, input: 'order_id is o-1' });
}

/** A tool that the contract says the destination needs, and that is switched off for it. */
export async function toolSwitchedOff(kit, n) {
  const refund = kit.makeTool('issue_refund', async () => 'refunded', { isEnabled: false });
  await kit.run(desks(kit, n, { billing: { tools: [refund] } }));
}

/** openai-agents-js #1122: two transfers are asked for in one turn, and one runs. */
export async function twoTransfers({ agent, withOrder, run }, n) {
  const triage = agent(
    `${n}_triage`,
    [[transfer(`${n}_billing`, order, 'call_1'), transfer(`${n}_support`, order, 'call_2')]],
    { handoffs: [withOrder(agent(`${n}_billing`)), withOrder(agent(`${n}_support`))] },
  );
  await run(triage, { stream: true });
}

/** openai-agents-python #1862: a stream gives out two items with one call id. */
export async function oneCallTwice(kit, n) {
  const twice = [transfer(`${n}_billing`, order, 'call_1'), transfer(`${n}_billing`, order, 'call_1')];
  await kit.run(desks(kit, n, { turns: { triage: [twice] } }), { stream: true });
}

/** One call id for two agents: a provider's slip, and two requests all the same. */
export async function otherTarget({ agent, withOrder, run }, n) {
  const names = [`${n}_billing`, `${n}_support`];
  const triage = agent(`${n}_triage`, [names.map((name) => transfer(name, order, 'call_1'))], {
    handoffs: names.map((name) => withOrder(agent(name))),
  });
  await run(triage, { stream: true });
}

/** One call id for two requests to one agent that do not say the same. */
export async function otherArguments(kit, n) {
  const two = ['o-1', 'o-2'].map((order_id) => transfer(`${n}_billing`, { order_id }, 'call_1'));
  await kit.run(desks(kit, n, { turns: { triage: [two] } }), { stream: true });
}

/** A provider that gives its calls no id. */
export async function noCallId(kit, n) {
  const twice = [transfer(`${n}_billing`, order, ''), transfer(`${n}_billing`, order, '')];
  await kit.run(desks(kit, n, { turns: { triage: [twice] } }), { stream: true });
}

/** openai-agents-python #2171: a filter sends a summary, and the items that it sums up as well. */
export async function summaryAndItems(kit, n) {
  const summary = { role: 'user', content: 'The customer asks for order o-1.' };
  const inputFilter = (data) => ({
    ...data,
    inputHistory: [summary, ...(Array.isArray(data.inputHistory) ? data.inputHistory : [])],
  });
  await kit.run(desks(kit, n, { offered: { inputFilter } }));
}

/** openai-agents-python #348: every span is green, the answer is wrong. Of three agents the second one loses the key. */
export async function threeAgents({ agent, run }, n) {
  const billing = agent(`${n}_billing`, [[transfer(`${n}_support`)]], { handoffs: [agent(`${n}_support`)] });
  const triage = agent(`${n}_triage`, [[transfer(`${n}_billing`)]], { handoffs: [billing] });
  billing.on('agent_handoff', ({ context }) => void delete context.order_id);
  await run(triage, { context: { ...order } });
}

/** The caller waits, and the answer comes back. */
export async function asTool({ agent, run }, n) {
  const billing = agent(`${n}_billing`, [says('paid')]);
  const triage = agent(`${n}_triage`, [[call('ask_billing', { input: 'Settle it.' })]], {
    tools: [billing.asTool({ toolName: 'ask_billing', toolDescription: 'Settles.' })],
  });
  await run(triage, { context: { ...order } });
}

/** Two at once: parts of one task. */
export async function fanOut({ agent, run }, n) {
  const names = ['billing', 'support'];
  const triage = agent(`${n}_triage`, [names.map((name) => call(`ask_${name}`, { input: 'x' }, `call_${name}`))], {
    tools: names.map((name) =>
      agent(`${n}_${name}`, [says(name)]).asTool({ toolName: `ask_${name}`, toolDescription: 'd' }),
    ),
  });
  await run(triage, { context: { ...order } });
}

/** Two agents that hand a task to and fro. */
export async function pingPong({ agent, run }, n) {
  const billing = agent(
    `${n}_billing`,
    [1, 2].map((turn) => [transfer(`${n}_triage`, {}, `back_${turn}`)]),
  );
  const triage = agent(
    `${n}_triage`,
    [1, 2, 3].map((turn) => [transfer(`${n}_billing`, {}, `to_${turn}`)]),
    { handoffs: [billing] },
  );
  billing.handoffs = [triage];
  await run(triage, { context: { ...order } });
}

export async function toolFails(kit, n) {
  const refund = kit.makeTool('refund', async () => {
    throw new TypeError('refund is down');
  });
  await kit.run(desks(kit, n, { billing: { tools: [refund] }, turns: { billing: [[call('refund')], says('sorry')] } }));
}

export async function modelFails(kit, n) {
  await kit.run(desks(kit, n, { turns: { billing: [new RangeError('model is down')] } }));
}

export async function filterThrows(kit, n) {
  const inputFilter = () => {
    throw new RangeError('no filter');
  };
  await kit.run(desks(kit, n, { offered: { inputFilter } }));
}

export async function badArguments(kit, n) {
  await kit.run(desks(kit, n, { args: '{oops' }));
}

/** The application gives up while the destination's model thinks. */
export async function aborted(kit, n) {
  const abort = new AbortController();
  const thinks = async (request) => {
    abort.abort(new Error('gave up'));
    request.signal?.throwIfAborted();
    return says('too late');
  };
  await kit.run(desks(kit, n, { turns: { billing: [thinks] } }), { signal: abort.signal });
}

/** One agent that plans again and calls its tools: no boundary. */
export async function alone({ agent, makeTool, run }, n) {
  const only = agent(`${n}_triage`, [[call('look')], [call('look', {}, 'again')], says('done')], {
    tools: [makeTool('look', async () => 'seen')],
  });
  await run(only);
}

/** 200 runs at once, half of them without the key; each has agents and a route of its own. */
export async function crowd(kit) {
  const { agent, run } = kit;
  const one = async (index) => {
    const name = `crowd${index}`;
    const think = async () => {
      await new Promise((resolve) => setTimeout(resolve, (index * 7) % 13));
      return [transfer(`${name}_billing`)];
    };
    const triage = agent(`${name}_triage`, [think], { handoffs: [agent(`${name}_billing`)] });
    await run(triage, { context: index % 2 === 0 ? { ...order } : { locale: 'de' }, stream: index % 3 === 0 });
  };
  await Promise.all(Array.from({ length: 200 }, (_, index) => one(index)));
  kit.record.lines.length = 0;
}

/** What the application lets go of is not held by us. */
export async function letGo(kit, n) {
  const held = [];
  const one = async (index) => {
    const context = { ...order, index };
    const first = desks(kit, `${n}${index}`);
    const result = await kit.run(first, { context, stream: index % 2 === 0 });
    return [context, first, result, result.state].map((each) => new WeakRef(each));
  };
  for (let index = 0; index < 20; index += 1) held.push(...(await one(index)));
  // What the SDK and the runtime keep of a last run is theirs, so that one is not asked for.
  await one(20);
  kit.record.lines.length = 0;
  const alive = () => held.filter((each) => each.deref() !== undefined).length;
  for (let round = 0; round < 100 && alive() > 0; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    gc();
  }
  console.log(`held ${alive()}`);
}
