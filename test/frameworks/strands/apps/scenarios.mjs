import { ends, handsOver, says, uses } from './kit.mjs';

// Each scenario names its agents after itself, so that each has a route of its own: `<name>_triage` to `<name>_billing`.

export async function passed({ agent, swarm, run }, n) {
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 'o-1' })]);
  await run(swarm(n, [triage, agent(`${n}_billing`, [])]));
}

/** Nobody ever put the key anywhere. */
export async function upstream({ agent, swarm, run }, n) {
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { locale: 'de' })]);
  await run(swarm(n, [triage, agent(`${n}_billing`, [])]));
}

/** The next agent gets message and context only: what the first one was given is not passed on by itself. */
export async function notPacked({ agent, swarm, run }, n) {
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { locale: 'de' })]);
  await run(swarm(n, [triage, agent(`${n}_billing`, [])]), '{"order_id":"o-1"}');
}

/** The state of an agent is its own. */
export async function ownState({ agent, tool, swarm, run }, n) {
  const find = tool(`${n}_find`, (_, context) => {
    context.agent.appState.set('order_id', 'o-1');
    return 'found';
  });
  const triage = agent(`${n}_triage`, [uses([`${n}_find`, {}]), handsOver(`${n}_billing`, { locale: 'de' })], {
    tools: [find],
  });
  await run(swarm(n, [triage, agent(`${n}_billing`, [])]));
}

/** A hook of the target's rewrites its messages, and the context is gone. */
export async function rewritten({ strands, agent, swarm, run }, n) {
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 'o-1' })]);
  const billing = agent(`${n}_billing`, []);
  billing.addHook(strands.BeforeModelCallEvent, ({ agent: { messages } }) => {
    const [first] = messages;
    messages[0] = new strands.Message({ role: first.role, content: first.content.slice(0, 1) });
  });
  await run(swarm(n, [triage, billing]));
}

/** A node that is another agent than its name says. */
export async function misrouted({ agent, swarm, run }, n) {
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 'o-1' })]);
  const support = agent(`${n}_support`, []);
  const billing = {
    id: `${n}_billing`,
    invoke: (...args) => support.invoke(...args),
    stream: (...args) => support.stream(...args),
  };
  await run(swarm(n, [triage, billing]));
}

/** The key stands in the result of a tool only, from where a model may or may not take it. */
export async function toolResultOnly({ agent, tool, swarm, run }, n) {
  const find = tool(`${n}_find`, () => ({ order_id: 'o-1' }));
  const triage = agent(`${n}_triage`, [uses([`${n}_find`, {}]), handsOver(`${n}_billing`, { locale: 'de' })], {
    tools: [find],
  });
  await run(swarm(n, [triage, agent(`${n}_billing`, [])]));
}

/** Nothing but prose. */
export async function textOnly({ agent, swarm, run }, n) {
  await run(swarm(n, [agent(`${n}_triage`, [handsOver(`${n}_billing`)]), agent(`${n}_billing`, [])]));
}

/** What all agents of an invocation share by reference. */
export async function shared({ agent, tool, swarm, run }, n) {
  const note = tool(`${n}_note`, (_, context) => {
    context.invocationState.order_id = 'o-1';
    return 'noted';
  });
  const triage = agent(`${n}_triage`, [uses([`${n}_note`, {}]), handsOver(`${n}_billing`)], { tools: [note] });
  await run(swarm(n, [triage, agent(`${n}_billing`, [])]), 'help', { invocationState: { tenant: 't' } });
}

/** An agent as a tool is given its input and the shared state; its answer comes back. */
export async function asTool({ agent, run }, n) {
  const billing = agent(`${n}_billing`, [says('{"refund_id":"r-1"}')]);
  const triage = agent(`${n}_triage`, [uses([`${n}_billing`, { input: '{"order_id":"o-1"}' }]), says('end')], {
    tools: [billing.asTool()],
  });
  await run(triage);
}

/** An agent as a tool takes nothing but `input` from the call. */
export async function asToolArguments({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [uses([`${n}_billing`, { input: 'refund', order_id: 'o-1' }]), says('end')], {
    tools: [billing],
  });
  await run(triage, 'help', { invocationState: { locale: 'de' } });
}

/** A tool of the application's runs an agent itself. */
export async function ownTool({ agent, tool, run }, n) {
  const billing = agent(`${n}_billing`, [says('{"refund_id":"r-1"}')]);
  const ask = tool(`${n}_ask`, async () => {
    await billing.invoke('refund');
    return 'asked';
  });
  const triage = agent(`${n}_triage`, [uses([`${n}_ask`, { order_id: 'o-1' }]), says('end')], { tools: [ask] });
  await run(triage, 'help', { invocationState: { locale: 'de' } });
}

export async function pingPong({ agent, swarm, run }, n) {
  const [a, b] = [`${n}_triage`, `${n}_billing`];
  const over = (to) => Array.from({ length: 4 }, () => handsOver(to, { order_id: 'o-1' }));
  await run(swarm(n, [agent(a, over(b)), agent(b, over(a))]));
}

/** harness-sdk PR #3461: a node that was interrupted and taken up again did not run twice. */
export async function interrupted({ agent, tool, swarm, run }, n) {
  const approve = tool(`${n}_approve`, (_, context) => context.interrupt({ name: 'approve', reason: 'please' }));
  const [a, b] = [`${n}_triage`, `${n}_billing`];
  const triage = agent(a, [handsOver(b, { order_id: 'o-1' }), handsOver(b, { order_id: 'o-1' })]);
  const billing = agent(b, [uses([`${n}_approve`, {}]), handsOver(a, { order_id: 'o-1' }), ends()], {
    tools: [approve],
  });
  const both = swarm(n, [triage, billing]);
  const first = await run(both);
  const responses = (first?.interrupts ?? []).map(({ id }) => ({
    interruptResponse: { interruptId: id, response: 'yes' },
  }));
  if (responses.length > 0) await run(both, responses);
}

/** harness-sdk PR #3461: what happened in an earlier run of the same swarm is no round of this one. */
export async function earlierRuns({ agent, swarm, run }, n) {
  const [a, b] = [`${n}_triage`, `${n}_billing`];
  const triage = agent(
    a,
    Array.from({ length: 4 }, () => handsOver(b, { order_id: 'o-1' })),
  );
  const both = swarm(n, [triage, agent(b, [])]);
  for (let i = 0; i < 4; i += 1) await run(both);
}

/** A hook keeps the next node from running. */
export async function cancelledNode({ strands, agent, swarm, run }, n) {
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 'o-1' })]);
  const both = swarm(n, [triage, agent(`${n}_billing`, [])]);
  const { BeforeNodeCallEvent } = await hookEvents(strands);
  both.addHook(BeforeNodeCallEvent, (event) => {
    if (event.nodeId === `${n}_billing`) event.cancel = true;
  });
  await run(both);
}

/** The target's tool and model fail after all has arrived. */
export async function failures({ agent, tool, swarm, run }, n) {
  const bad = tool(`${n}_bad`, () => {
    throw new TypeError('no connection');
  });
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 'o-1' })]);
  const billing = agent(`${n}_billing`, [uses([`${n}_bad`, {}]), new RangeError('model down')], { tools: [bad] });
  await run(swarm(n, [triage, billing]));
}

/** The target fails before its model is called. */
export async function failsEarly({ strands, agent, swarm, run }, n) {
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 'o-1' })]);
  const billing = agent(`${n}_billing`, []);
  billing.addHook(strands.BeforeInvocationEvent, () => {
    throw new Error('hook');
  });
  await run(swarm(n, [triage, billing]));
}

/** The application calls the swarm off while the target works. */
export async function aborted({ agent, swarm, run }, n) {
  const controller = new globalThis.AbortController();
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 'o-1' })]);
  const stop = () => {
    controller.abort();
    return ends('too late');
  };
  await run(swarm(n, [triage, agent(`${n}_billing`, [stop])]), 'help', { cancelSignal: controller.signal });
}

/** The application stops reading. */
export async function unread({ agent, swarm, run }, n) {
  const triage = agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 'o-1' })]);
  await run(swarm(n, [triage, agent(`${n}_billing`, [])]), 'help', { breakAfter: 40 });
}

/** One agent with several steps is no handoff. */
export async function alone({ agent, tool, run }, n) {
  const look = tool(`${n}_look`, () => 'ok');
  await run(agent(`${n}_worker`, [uses([`${n}_look`, {}]), uses([`${n}_look`, {}]), says('end')], { tools: [look] }));
}

/** 200 runs at once; in every second one the key is missing. */
export async function crowd({ agent, swarm, run }, n) {
  const one = async (i) => {
    const context = i % 2 === 0 ? { order_id: i } : { other: i };
    const triage = agent(`${n}${i}_triage`, [handsOver(`${n}${i}_billing`, context)]);
    await run(swarm(`${n}${i}`, [triage, agent(`${n}${i}_billing`, [])]));
  };
  await Promise.all(Array.from({ length: 200 }, (_, i) => one(i)));
}

/** What a run used is let go with it, also where its events are never read to the end. */
export async function letGo({ agent, swarm, run, record }, n) {
  const held = [];
  const one = async (breakAfter) => {
    const agents = [agent(`${n}_triage`, [handsOver(`${n}_billing`, { order_id: 1 })]), agent(`${n}_billing`, [])];
    held.push(...agents.map((each) => new WeakRef(each)));
    await run(swarm(n, agents), 'help', { breakAfter });
  };
  for (let i = 0; i < 20; i += 1) await one(i % 2 === 0 ? undefined : 5);
  for (let i = 0; i < 5; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc?.();
  }
  record.lines.length = 0;
  record.add('held', held.filter((each) => each.deref() !== undefined).length);
}

/** The events of swarms are exported from a subpath. */
async function hookEvents(strands) {
  if (strands.BeforeNodeCallEvent !== undefined) return strands;
  const { createRequire } = await import('node:module');
  const { pathToFileURL } = await import('node:url');
  const root = createRequire(process.argv[1]).resolve('@strands-agents/sdk');
  return import(pathToFileURL(root.replace(/index\.(node\.)?js$/, 'multiagent/index.js')).href);
}
