import { createRequire } from 'node:module';
import { call, calls, says, transfer } from './kit.mjs';

// Each scenario names its agents after itself, so that each has a route of its own: `<name>_triage` to `<name>_billing`.

export async function passed({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  await run(agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] }), { state: { order_id: 1 } });
}

/** Nobody ever put the key anywhere. */
export async function upstream({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  await run(agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] }), { state: { locale: 'de' } });
}

/** adk-python PR #4481: the target's `includeContents` leaves the user's message out. */
export async function contentsNone({ agent, run }, n) {
  const billing = agent(`${n}_billing`, [], { includeContents: 'none' });
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] });
  await run(triage, { text: '{"order_id":"o-1"}', state: { locale: 'de' } });
}

export async function contentsDefault({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] });
  await run(triage, { text: '{"order_id":"o-1"}', state: { locale: 'de' } });
}

/** A plugin that rewrites events loses the state that they write. */
export async function pluginDropsState({ adk, agent, run }, n) {
  class Redact extends adk.BasePlugin {
    async onEventCallback({ event }) {
      return Object.keys(event.actions.stateDelta).length === 0
        ? undefined
        : { ...event, actions: { ...event.actions, stateDelta: {} } };
    }
  }
  const note = agent(`${n}_triage`, [says('o-1')], { outputKey: 'order_id' });
  const billing = agent(`${n}_billing`, [], { includeContents: 'none' });
  await run(new adk.SequentialAgent({ name: `${n}_pipe`, subAgents: [note, billing] }), {
    state: { locale: 'de' },
    plugins: [new Redact('redact')],
  });
}

/** `AgentTool` without an input schema gives its agent `request` and nothing else of the call. */
export async function toolArguments({ adk, agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [calls(call(`${n}_billing`, { request: 'refund', order_id: 'o-1' }))], {
    tools: [new adk.AgentTool({ agent: billing })],
  });
  await run(triage, { state: { locale: 'de' } });
}

/** The text of a request may be a JSON object. */
export async function toolRequest({ adk, agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [calls(call(`${n}_billing`, { request: '{"order_id":"o-1"}' }))], {
    tools: [new adk.AgentTool({ agent: billing })],
  });
  await run(triage, { state: { locale: 'de' } });
}

/** The target's own callback keeps only the last content, and the call that carried the key is gone. */
export async function trimmed({ agent, run }, n) {
  const billing = agent(`${n}_billing`, [], {
    beforeModelCallback: ({ request }) => void request.contents.splice(0, request.contents.length - 1),
  });
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`, { order_id: 'o-1' })], { subAgents: [billing] });
  await run(triage, { state: { locale: 'de' } });
}

export async function callArguments({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`, { order_id: 'o-1' })], { subAgents: [billing] });
  await run(triage, { state: { locale: 'de' } });
}

/** The target's own callback empties the key before the model sees it. */
export async function cleared({ agent, run }, n) {
  const billing = agent(`${n}_billing`, [], {
    beforeAgentCallback: (context) => void context.state.set('order_id', undefined),
  });
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] });
  await run(triage, { state: { order_id: 1 } });
}

/** A class of the application's looks agents up its own way. */
export async function misrouted({ adk, agent, ScriptedLlm, run }, n) {
  class Router extends adk.LlmAgent {
    getAgentByName(context, name) {
      return super.getAgentByName(context, name.replace('billing', 'support'));
    }
  }
  const subAgents = [agent(`${n}_billing`, []), agent(`${n}_support`, [])];
  const model = new ScriptedLlm([transfer(`${n}_billing`)]);
  await run(new Router({ name: `${n}_triage`, description: 't', model, subAgents }), { state: { order_id: 1 } });
}

/** The key stands in the result of a tool only, from where a model may or may not take it. */
export async function toolResultOnly({ agent, tool, run }, n) {
  const find = tool(`${n}_find`, () => ({ order_id: 'o-1' }));
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [calls(call(`${n}_find`)), transfer(`${n}_billing`)], {
    subAgents: [billing],
    tools: [find],
  });
  await run(triage, { state: { locale: 'de' } });
}

/** Nothing but prose. */
export async function textOnly({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  await run(agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] }), {
    text: 'order o-1',
    state: {},
  });
}

/** What the delegate writes comes back. */
export async function returned({ adk, agent, tool, run }, n) {
  const book = tool(`${n}_book`, (_, context) => (context.state.set('refund_id', 'r-1'), { ok: true }));
  const billing = agent(`${n}_billing`, [calls(call(`${n}_book`)), says('booked')], { tools: [book] });
  const triage = agent(`${n}_triage`, [calls(call(`${n}_billing`, { request: 'refund' })), says('end')], {
    tools: [new adk.AgentTool({ agent: billing })],
  });
  await run(triage, { state: { order_id: 1 } });
}

/** adk-js #175: an agent as a tool works in a session of its own, and what it writes there is not the caller's. */
export async function freshSession({ adk, agent, tool, run }, n) {
  const book = tool(`${n}_book`, (_, context) => {
    context.invocationContext.session.state.refund_id = 'r-1';
    return { ok: true };
  });
  const billing = agent(`${n}_billing`, [calls(call(`${n}_book`)), says('booked')], { tools: [book] });
  const triage = agent(`${n}_triage`, [calls(call(`${n}_billing`, { request: 'refund' })), says('end')], {
    tools: [new adk.AgentTool({ agent: billing })],
  });
  await run(triage, { state: { order_id: 1 } });
}

/** adk-java #607: what the caller resolved after its first delegation never reaches the agent as a tool (from 2.0). */
export async function staleSession({ adk, agent, tool, run }, n) {
  const resolve = tool(`${n}_resolve`, (_, context) => (context.state.set('customer_id', 'c-1'), { ok: true }));
  const billing = agent(`${n}_billing`, [says('who?'), says('done')]);
  const ask = calls(call(`${n}_billing`, { request: 'refund' }));
  const triage = agent(`${n}_triage`, [ask, calls(call(`${n}_resolve`)), ask, says('end')], {
    tools: [new adk.AgentTool({ agent: billing }), resolve],
  });
  await run(triage, { state: { order_id: 1 } });
}

/** adk-java #607 where each delegation has a new session: the id is an argument that the tool does not pass on. */
export async function resolvedArgument({ adk, agent, tool, run }, n) {
  const resolve = tool(`${n}_resolve`, (_, context) => (context.state.set('temp:customer_id', 'c-1'), { ok: true }));
  const billing = agent(`${n}_billing`, []);
  const ask = calls(call(`${n}_billing`, { request: 'refund', customer_id: 'c-1' }));
  const triage = agent(`${n}_triage`, [ask, says('end')], { tools: [new adk.AgentTool({ agent: billing }), resolve] });
  await run(triage, { state: { order_id: 1 } });
}

/** A tool of the application's runs an agent itself. */
export async function ownRunner({ adk, agent, tool, run }, n) {
  const billing = agent(`${n}_billing`, [], { outputKey: 'answer' });
  const ask = tool(`${n}_ask`, async (_, context) => {
    const runner = new adk.InMemoryRunner({ agent: billing, appName: 'inner' });
    const state = { order_id: context.state.get('order_id') };
    const session = await runner.sessionService.createSession({ appName: 'inner', userId: 'u', state });
    const newMessage = { role: 'user', parts: [{ text: 'refund' }] };
    for await (const event of runner.runAsync({ userId: 'u', sessionId: session.id, newMessage })) void event;
    return { done: true };
  });
  await run(agent(`${n}_triage`, [calls(call(`${n}_ask`)), says('end')], { tools: [ask] }), { state: { order_id: 1 } });
}

export async function sequence({ adk, agent, run }, n) {
  const triage = agent(`${n}_triage`, [says('o-1')], { outputKey: 'order_id' });
  const billing = agent(`${n}_billing`, [], { outputKey: 'invoice' });
  const audit = agent(`${n}_audit`, []);
  await run(new adk.SequentialAgent({ name: `${n}_pipe`, subAgents: [triage, billing, audit] }), {});
}

/** One agent, two at once, one: fanned out and in again. */
export async function fan({ adk, agent, run }, n) {
  const triage = agent(`${n}_triage`, [says('o-1')], { outputKey: 'order_id' });
  const branches = ['billing', 'support'].map((each) => agent(`${n}_${each}`, [], { outputKey: `${each}_answer` }));
  const both = new adk.ParallelAgent({ name: `${n}_both`, subAgents: branches });
  const audit = agent(`${n}_audit`, []);
  await run(new adk.SequentialAgent({ name: `${n}_pipe`, subAgents: [triage, both, audit] }), {});
}

/** A transfer to a workflow agent, and from there to nobody: its first agent is where it arrives. */
export async function toPipeline({ adk, agent, run }, n) {
  const steps = [agent(`${n}_first`, [], { outputKey: 'a' }), agent(`${n}_second`, [])];
  const pipe = new adk.SequentialAgent({ name: `${n}_billing`, description: 'p', subAgents: steps });
  await run(agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [pipe] }), { state: { order_id: 1 } });
}

/** One agent again and again is no handoff. */
export async function again({ adk, agent, run }, n) {
  const worker = agent(`${n}_worker`, [says('1'), says('2'), says('3')], { outputKey: 'draft' });
  await run(new adk.LoopAgent({ name: `${n}_loop`, subAgents: [worker], maxIterations: 3 }), {});
}

/** One agent with several steps is no handoff. */
export async function alone({ agent, tool, run }, n) {
  const look = tool(`${n}_look`, () => ({ ok: true }));
  await run(
    agent(`${n}_worker`, [calls(call(`${n}_look`)), calls(call(`${n}_look`)), says('end')], { tools: [look] }),
    {},
  );
}

export async function loop({ adk, agent, run }, n) {
  const subAgents = [agent(`${n}_triage`, [], { outputKey: 'order_id' }), agent(`${n}_billing`, [])];
  await run(new adk.LoopAgent({ name: `${n}_loop`, subAgents, maxIterations: 4 }), { state: { order_id: 1 } });
}

/** Two agents hand over to each other without an end. */
export async function pingPong({ agent, run }, n) {
  const [a, b] = [`${n}_triage`, `${n}_billing`];
  const billing = agent(
    b,
    Array.from({ length: 4 }, () => transfer(a)),
  );
  await run(
    agent(
      a,
      Array.from({ length: 4 }, () => transfer(b)),
      { subAgents: [billing] },
    ),
    { state: { order_id: 1 } },
  );
}

/** Two transfers in one turn: the framework runs the last. */
export async function twoTransfers({ agent, run }, n) {
  const subAgents = [agent(`${n}_billing`, []), agent(`${n}_support`, [])];
  const both = ['billing', 'support'].map((each) => call('transfer_to_agent', { agentName: `${n}_${each}` }));
  await run(agent(`${n}_triage`, [calls(...both)], { subAgents }), { state: { order_id: 1 } });
}

/** A callback of the application's answers in the transfer tool's place. */
export async function vetoed({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`), says('then I do it')], {
    subAgents: [billing],
    beforeToolCallback: ({ tool }) => (tool.name === 'transfer_to_agent' ? { error: 'not allowed' } : undefined),
  });
  await run(triage, { state: { order_id: 1 } });
}

/** A tool of the application's hands over. */
export async function handedOverByTool({ agent, tool, run }, n) {
  const escalate = tool(`${n}_escalate`, (_, context) => {
    context.actions.transferToAgent = `${n}_billing`;
    return { ok: true };
  });
  const billing = agent(`${n}_billing`, []);
  await run(agent(`${n}_triage`, [calls(call(`${n}_escalate`))], { subAgents: [billing], tools: [escalate] }), {
    state: { order_id: 1 },
  });
}

export async function unknownTarget({ agent, run }, n) {
  const triage = agent(`${n}_triage`, [transfer(`${n}_nobody`), says('then I do it')], {
    subAgents: [agent(`${n}_billing`, [])],
  });
  await run(triage, { state: { order_id: 1 } });
}

/** The target's tool and model fail after all has arrived. */
export async function failures({ agent, tool, run }, n) {
  const bad = tool(`${n}_bad`, () => {
    throw new TypeError('no connection');
  });
  const billing = agent(`${n}_billing`, [calls(call(`${n}_bad`)), new RangeError('model down')], { tools: [bad] });
  await run(agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] }), { state: { order_id: 1 } });
}

/** The target fails before its model is called: its instruction names a variable that nobody set. */
export async function failsEarly({ agent, run }, n) {
  const billing = agent(`${n}_billing`, [], { instruction: 'Work on {order_number}.' });
  await run(agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] }), { state: { order_id: 1 } });
}

export async function callbackThrows({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`)], {
    subAgents: [billing],
    afterToolCallback: () => {
      throw new Error('callback');
    },
  });
  await run(triage, { state: { order_id: 1 } });
}

export async function aborted({ agent, run }, n) {
  const controller = new globalThis.AbortController();
  const stop = () => {
    controller.abort();
    return says('too late');
  };
  const billing = agent(`${n}_billing`, [stop]);
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] });
  await run(triage, { state: { order_id: 1 }, turn: { abortSignal: controller.signal } });
}

/** The application stops reading after the event that it waited for. */
export async function unread({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  await run(agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] }), {
    state: { order_id: 1 },
    breakAfter: 3,
  });
}

export async function streamed({ adk, agent, run }, n) {
  const parts = [{ ...says('do'), partial: true }, { ...says('ne'), partial: true }, says('done')];
  const billing = agent(`${n}_billing`, [parts]);
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] });
  await run(triage, { state: { order_id: 1 }, turn: { runConfig: { streamingMode: adk.StreamingMode.SSE } } });
}

/** A second turn goes on with the agent that took over: that is no handoff. */
export async function nextTurn({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  const triage = agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] });
  const into = await run(triage, { state: { order_id: 1 } });
  await run(triage, { into, text: 'and then?' });
}

/** A class of the application's that runs its sub-agents as it likes. */
export async function ownOrchestrator({ adk, agent, run }, n) {
  class Flow extends adk.BaseAgent {
    async *runAsyncImpl(context) {
      yield* this.subAgents[0].runAsync(context);
      if (context.session.state.order_id !== undefined) yield* this.subAgents[1].runAsync(context);
    }
  }
  const subAgents = [agent(`${n}_triage`, [says('o-1')], { outputKey: 'order_id' }), agent(`${n}_billing`, [])];
  await run(new Flow({ name: `${n}_flow`, subAgents }), {});
}

/** State of the user's and the application's scope stands for the key without it. */
export async function scopedState({ agent, run }, n) {
  const billing = agent(`${n}_billing`, []);
  await run(agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] }), {
    state: { 'user:order_id': 1 },
  });
}

/** A tool that a person has to approve, and the turn in which that person does. */
export async function approval({ adk, agent, tool, run, record }, n) {
  const book = tool(`${n}_book`, () => ({ ok: true }), { parameters: undefined, requireConfirmation: true });
  // Before 2.0 a tool asks by itself.
  const asks = tool(`${n}_book`, (_, context) => {
    if (context.toolConfirmation?.confirmed === true) return { ok: true };
    context.requestConfirmation({ hint: 'sure?', payload: { order_id: 'o-1' } });
    return { status: 'waiting' };
  });
  const triage = agent(`${n}_triage`, [calls(call(`${n}_book`, { order_id: 'o-1' })), says('booked')], {
    tools: [adk.createNodeState === undefined ? asks : book],
  });
  const into = await run(triage, { state: { order_id: 1 } });
  const { sessionService } = into.runner;
  const session = await sessionService.getSession({ appName: 'shop', userId: 'u', sessionId: into.session.id });
  const [question] = session.events
    .flatMap(({ content }) => content?.parts ?? [])
    .filter(({ functionCall }) => functionCall?.name === 'adk_request_confirmation');
  record.add('question', question?.functionCall?.name);
  const functionResponse = {
    id: question?.functionCall?.id,
    name: 'adk_request_confirmation',
    response: { confirmed: true },
  };
  const newMessage = { role: 'user', parts: [{ functionResponse }] };
  await run(triage, { into, turn: { newMessage } });
}

/** Rounds in which the state goes on are no loop. */
export async function refine({ adk, agent, run }, n) {
  const drafts = [1, 2, 3, 4].map((draft) => says(`draft ${draft}`));
  const subAgents = [agent(`${n}_triage`, drafts, { outputKey: 'draft' }), agent(`${n}_billing`, [])];
  await run(new adk.LoopAgent({ name: `${n}_loop`, subAgents, maxIterations: 4 }), { state: { order_id: 1 } });
}

/** adk-python #4285: the application runs each agent in a trace of its own. */
export async function ownTraces({ adk, agent, run }, n) {
  // From the version's own folder, since the framework's copy of the API is the one that counts.
  const require = createRequire(process.argv[1]);
  const { context, ROOT_CONTEXT } = require('@opentelemetry/api');
  const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks');
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const inner = adk.AgentTool.prototype.runAsync;
  class Apart extends adk.AgentTool {
    runAsync(request) {
      return context.with(ROOT_CONTEXT, () => inner.call(this, request));
    }
  }
  const billing = agent(`${n}_billing`, []);
  const ask = calls(call(`${n}_billing`, { request: 'refund' }));
  await run(agent(`${n}_triage`, [ask, says('end')], { tools: [new Apart({ agent: billing })] }), {
    state: { order_id: 1 },
  });
  context.disable();
}

/** 200 runs at once; in every second one the key is missing. */
export async function crowd({ agent, run }, n) {
  const one = async (i) => {
    const billing = agent(`${n}${i}_billing`, []);
    const triage = agent(`${n}${i}_triage`, [transfer(`${n}${i}_billing`)], { subAgents: [billing] });
    await run(triage, { state: i % 2 === 0 ? { order_id: i } : { other: i } });
  };
  await Promise.all(Array.from({ length: 200 }, (_, i) => one(i)));
}

/** What a run used is let go with it, also where its events are never read to the end. */
export async function letGo({ agent, run, record }, n) {
  const held = [];
  const one = async (breakAfter) => {
    const billing = agent(`${n}_billing`, []);
    const triage = agent(`${n}_triage`, [transfer(`${n}_billing`)], { subAgents: [billing] });
    held.push(new WeakRef(triage), new WeakRef(billing));
    await run(triage, { state: { order_id: 1 }, breakAfter });
  };
  for (let i = 0; i < 20; i += 1) await one(i % 2 === 0 ? undefined : 2);
  for (let i = 0; i < 5; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc?.();
  }
  record.lines.length = 0;
  record.add('held', held.filter((each) => each.deref() !== undefined).length);
}
