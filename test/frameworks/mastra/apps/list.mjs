import { setImmediate as nextTick } from 'node:timers/promises';
import { scriptedModel } from './scripted-model.mjs';

const context = ({ RequestContext }, members) => new RequestContext(Object.entries(members));

/** A supervisor `triage` with one sub-agent `billing`, by what differs. */
function pair(
  lib,
  { call = { prompt: 'settle it' }, calls, billing = {}, triage = {}, after = 'done', inputs = [] } = {},
) {
  const worker = new lib.Agent({
    id: 'billing-agent',
    name: 'billing',
    description: 'settles invoices',
    instructions: 'You settle invoices.',
    model: scriptedModel(['settled'], { id: 'billing', inputs }),
    ...billing,
  });
  const supervisor = new lib.Agent({
    id: 'triage-agent',
    name: 'triage',
    instructions: 'You route.',
    model: scriptedModel([calls ?? [{ tool: 'agent-billing', args: call }], after], { id: 'triage', inputs }),
    agents: { billing: worker },
    ...triage,
  });
  return { worker, supervisor, inputs };
}

/** Each scenario is one run, named after it: its task is told apart by that. */
const ask = (lib, agents, members, options = {}) =>
  agents.supervisor.generate('my invoice', { requestContext: context(lib, members), runId: lib.scenario, ...options });

const told = async (agents, result) => ({ text: (await result).text, inputs: agents.inputs });

export const VERDICTS = {
  async passed(lib) {
    const agents = pair(lib);
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  async upstream(lib) {
    const agents = pair(lib);
    return told(agents, ask(lib, agents, { locale: 'de' }));
  },
  // The application's hook takes the key out of the copy of the request context that the delegate gets.
  async packagingHook(lib) {
    const agents = pair(lib);
    const onDelegationStart = ({ requestContext }) => void requestContext.delete('customer_id');
    return told(agents, ask(lib, agents, { customer_id: 'c-1', locale: 'de' }, { delegation: { onDelegationStart } }));
  },
  // A tool of the application's calls the agent and forgets the request context.
  async packagingTool(lib) {
    const agents = pair(lib, { calls: [{ tool: 'ask_billing', args: { task: 'settle it' } }] });
    const tool = lib.createTool({
      id: 'ask_billing',
      description: 'asks billing',
      inputSchema: lib.z.object({ task: lib.z.string() }),
      execute: async (input, options) => {
        const task = input.context?.task ?? input.task;
        return { answer: (await agents.worker.generate(task)).text, given: options === undefined };
      },
    });
    agents.supervisor.__setTools?.({ ask_billing: tool });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  // The model puts the key into the call, whose schema has no such member.
  async packagingArguments(lib) {
    const agents = pair(lib, { call: { prompt: 'settle it', customer_id: 'c-1' } });
    return told(agents, ask(lib, agents, {}));
  },
  // An input processor of the delegate takes the key out before the model is called.
  async ingestion(lib) {
    const processor = {
      id: 'strip',
      processInput: ({ messages, requestContext }) => (requestContext.delete('customer_id'), messages),
    };
    const agents = pair(lib, { billing: { inputProcessors: [processor] } });
    return told(agents, ask(lib, agents, { customer_id: 'c-1', locale: 'de' }));
  },
  // The key that the model chose leads to another agent of the contract file.
  async misrouted(lib) {
    const agents = pair(lib, { billing: { id: 'support-agent', name: 'support' } });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  // Nothing but text goes over.
  async text(lib) {
    const agents = pair(lib);
    return told(agents, ask(lib, agents, {}));
  },
};

/** A tool that a person has to approve. */
const refund = (lib, { inputs = [], ...more } = {}) =>
  lib.createTool({
    id: 'refund',
    description: 'pays back',
    inputSchema: lib.z.object({ amount: lib.z.number() }),
    requireApproval: true,
    execute: async () => (inputs.push('refunded'), { refunded: true }),
    ...more,
  });

function registered(lib, agents) {
  const mastra = new lib.Mastra({
    agents: { triage: agents.supervisor, billing: agents.worker },
    storage: new lib.InMemoryStore(),
    logger: false,
  });
  return { ...agents, supervisor: mastra.getAgent('triage'), worker: mastra.getAgent('billing') };
}

export const RESUMES = {
  async approved(lib) {
    const model = scriptedModel([[{ tool: 'refund', args: { amount: 3 } }], 'refunded'], { id: 'billing' });
    const agents = registered(lib, pair(lib, { billing: { model, tools: { refund: refund(lib) } } }));
    const first = await ask(lib, agents, { customer_id: 'c-1' });
    const second = await agents.supervisor.approveToolCallGenerate({
      runId: first.runId,
      toolCallId: first.suspendPayload?.toolCallId,
      requestContext: context(lib, { customer_id: 'c-1' }),
    });
    return { first: first.finishReason, payload: first.suspendPayload, second: second.text, inputs: model.inputs };
  },
  async declinedAlone(lib) {
    const model = scriptedModel([[{ tool: 'refund', args: { amount: 3 } }], 'not refunded'], { id: 'billing' });
    const agents = registered(lib, pair(lib, { billing: { model, tools: { refund: refund(lib) } } }));
    const first = await agents.worker.generate('pay back', { requestContext: context(lib, { customer_id: 'c-1' }) });
    const second = await agents.worker.declineToolCallGenerate({ runId: first.runId });
    return { first: first.finishReason, payload: first.suspendPayload, second: second.text, inputs: model.inputs };
  },
  async approvedStream(lib) {
    const model = scriptedModel([[{ tool: 'refund', args: { amount: 3 } }], 'refunded'], { id: 'billing' });
    const agents = registered(lib, pair(lib, { billing: { model, tools: { refund: refund(lib) } } }));
    const first = await agents.supervisor.stream('my invoice', {
      requestContext: context(lib, { customer_id: 'c-1' }),
    });
    const types = [];
    for await (const chunk of first.fullStream) types.push(chunk.type);
    const second = await agents.supervisor.approveToolCall({
      runId: first.runId,
      requestContext: context(lib, { customer_id: 'c-1' }),
    });
    for await (const chunk of second.fullStream) types.push(chunk.type);
    return { types, second: await second.text, inputs: model.inputs };
  },
};

const choice = (primitiveId, prompt) =>
  JSON.stringify({
    primitiveId,
    primitiveType: primitiveId === 'none' ? 'none' : 'agent',
    prompt,
    selectionReason: 'x',
  });

export const NETWORKS = {
  async network(lib) {
    const inputs = [];
    const router = scriptedModel(
      [
        choice('billing', 'settle it'),
        JSON.stringify({ isComplete: true, completionReason: 'ok', finalResult: 'settled' }),
        'done',
      ],
      {
        id: 'triage',
        inputs,
      },
    );
    const agents = pair(lib, { inputs, triage: { model: router, memory: await lib.memory() } });
    const options = {
      requestContext: context(lib, { customer_id: 'c-1' }),
      maxSteps: 3,
      memory: { thread: 't-1', resource: 'r-1' },
    };
    const stream = await registered(lib, agents).supervisor.network('my invoice', options);
    const types = [];
    for await (const chunk of stream) types.push(chunk.type);
    return { types, inputs };
  },
};

/** What becomes of a delegation otherwise. */
export const WAYS = {
  async rejected(lib) {
    const agents = pair(lib);
    const onDelegationStart = () => ({ proceed: false, rejectionReason: 'not now' });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }, { delegation: { onDelegationStart } }));
  },
  async badArguments(lib) {
    const agents = pair(lib, { call: { prompt: 7 } });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  async rewritten(lib) {
    const agents = pair(lib);
    const onDelegationStart = ({ requestContext }) => {
      requestContext.delete('customer_id');
      return { modifiedPrompt: 'settle it for customer c-1' };
    };
    return told(agents, ask(lib, agents, { customer_id: 'c-1', locale: 'de' }, { delegation: { onDelegationStart } }));
  },
  // The model wrote the key's value into the prompt as well.
  async quoted(lib) {
    const agents = pair(lib, { call: { prompt: 'settle it for c-1', customer_id: 'c-1' } });
    return told(agents, ask(lib, agents, {}));
  },
  // A tool found the key, and its result is in what the model has read.
  async lookedUp(lib) {
    const agents = pair(lib, {
      calls: [{ tool: 'lookup', args: {} }],
      after: [{ tool: 'agent-billing', args: { prompt: 'x' } }],
    });
    const model = scriptedModel(
      [[{ tool: 'lookup', args: {} }], [{ tool: 'agent-billing', args: { prompt: 'settle it' } }], 'done'],
      { id: 'triage', inputs: agents.inputs },
    );
    const lookup = lib.createTool({
      id: 'lookup',
      description: 'finds',
      inputSchema: lib.z.object({}),
      execute: async () => ({ customer_id: 'c-1' }),
    });
    agents.supervisor.__updateModel({ model });
    agents.supervisor.__setTools({ lookup });
    return told(agents, ask(lib, agents, { locale: 'de' }));
  },
  async parallel(lib) {
    const calls = [
      { tool: 'agent-billing', args: { prompt: 'one' } },
      { tool: 'agent-billing', args: { prompt: 'two' } },
    ];
    const agents = pair(lib, { calls });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  async nested(lib) {
    const ledger = new lib.Agent({
      id: 'ledger-agent',
      name: 'ledger',
      description: 'books',
      instructions: 'You book.',
      model: scriptedModel(['booked'], { id: 'ledger' }),
    });
    const model = scriptedModel([[{ tool: 'agent-ledger', args: { prompt: 'book it' } }], 'settled'], {
      id: 'billing',
    });
    const agents = pair(lib, { billing: { model, agents: { ledger } } });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  async workflow(lib) {
    const agents = pair(lib, { calls: [{ tool: 'workflow-settle', args: { inputData: { invoice: 'i-1' } } }] });
    const step = lib.createStep({
      id: 'settle-step',
      inputSchema: lib.z.object({ invoice: lib.z.string() }),
      outputSchema: lib.z.object({ answer: lib.z.string() }),
      execute: async ({ requestContext }) => ({
        answer: (await agents.worker.generate('settle it', { requestContext })).text,
      }),
    });
    const settle = lib
      .createWorkflow({ id: 'settle', inputSchema: step.inputSchema, outputSchema: step.outputSchema })
      .then(step)
      .commit();
    const supervisor = new lib.Agent({
      id: 'triage-agent',
      name: 'triage',
      instructions: 'You route.',
      model: await agents.supervisor.getModel(),
      workflows: { settle },
    });
    return told(agents, ask(lib, { ...agents, supervisor }, { customer_id: 'c-1' }));
  },
  // One agent that steps, calls a tool and calls itself hands nothing over.
  async alone(lib) {
    const inputs = [];
    const model = scriptedModel([[{ tool: 'again', args: {} }], 'done', 'done'], { id: 'triage', inputs });
    const supervisor = new lib.Agent({ id: 'triage-agent', name: 'triage', instructions: 'You work.', model });
    const again = lib.createTool({
      id: 'again',
      description: 'again',
      inputSchema: lib.z.object({}),
      execute: async () => ({ text: (await supervisor.generate('again')).text }),
    });
    supervisor.__setTools({ again });
    return told({ inputs }, ask(lib, { supervisor }, { customer_id: 'c-1' }));
  },
  async loop(lib) {
    const inputs = [];
    const agents = {};
    const make = (name, other) =>
      new lib.Agent({
        id: `${name}-agent`,
        name,
        description: name,
        instructions: name,
        model: scriptedModel([...Array(3).fill([{ tool: `agent-${other}`, args: { prompt: 'you' } }]), 'ok'], {
          id: name,
          inputs,
        }),
        agents: () => ({ [other]: agents[other] }),
      });
    agents.triage = make('triage', 'billing');
    agents.billing = make('billing', 'triage');
    return told({ inputs }, ask(lib, { supervisor: agents.triage }, { customer_id: 'c-1' }));
  },
  async modelFails(lib) {
    const agents = pair(lib, { billing: { model: scriptedModel([new TypeError('no')], { id: 'billing' }) } });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  async toolFails(lib) {
    const model = scriptedModel([[{ tool: 'broken', args: {} }], 'settled'], { id: 'billing' });
    const broken = lib.createTool({
      id: 'broken',
      description: 'breaks',
      inputSchema: lib.z.object({}),
      execute: async () => {
        throw new RangeError('no');
      },
    });
    const agents = pair(lib, { billing: { model, tools: { broken } } });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  async filterFails(lib) {
    const agents = pair(lib);
    const messageFilter = () => {
      throw new RangeError('no');
    };
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }, { delegation: { messageFilter } }));
  },
  async aborted(lib) {
    const controller = new globalThis.AbortController();
    const delay = async () => {
      controller.abort();
      await nextTick();
    };
    const agents = pair(lib, { billing: { model: scriptedModel(['settled'], { id: 'billing', delay }) } });
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }, { abortSignal: controller.signal }));
  },
  // A delegate that is no agent of Mastra's own class.
  async custom(lib) {
    const agents = pair(lib);
    const custom = {
      id: 'billing-agent',
      name: 'billing',
      getDescription: () => 'settles',
      getModel: () => agents.worker.getModel(),
      getInstructions: () => 'You settle.',
      getMemory: () => undefined,
      hasOwnMemory: () => true,
      generate: async () => ({ text: 'settled', response: { dbMessages: [] }, toolResults: [], finishReason: 'stop' }),
    };
    const supervisor = new lib.Agent({
      id: 'triage-agent',
      name: 'triage',
      instructions: 'You route.',
      model: await agents.supervisor.getModel(),
      agents: { billing: custom },
    });
    return told(agents, ask(lib, { ...agents, supervisor }, { customer_id: 'c-1' }));
  },
  async stream(lib) {
    const agents = pair(lib);
    const stream = await agents.supervisor.stream('my invoice', {
      requestContext: context(lib, { customer_id: 'c-1' }),
      runId: lib.scenario,
    });
    const types = [];
    for await (const chunk of stream.fullStream) types.push(chunk.type);
    return { types, text: await stream.text, inputs: agents.inputs };
  },
  async structured(lib) {
    const agents = pair(lib, { after: JSON.stringify({ done: true }) });
    const structuredOutput = { schema: lib.z.object({ done: lib.z.boolean() }) };
    const result = await ask(lib, agents, { customer_id: 'c-1' }, { structuredOutput });
    return { object: result.object, inputs: agents.inputs };
  },
};

/** The conversation itself, as a key: what the delegate reads of what was said before. */
export const MESSAGES = {
  async allMessages(lib) {
    const agents = pair(lib);
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }));
  },
  async noMessages(lib) {
    const agents = pair(lib);
    return told(agents, ask(lib, agents, { customer_id: 'c-1' }, { delegation: { messageFilter: () => [] } }));
  },
};

/** Two agents that any number of runs share: the supervisor delegates once, and then is done. */
function shared(lib) {
  const said = (prompt) => prompt.at(-1).role === 'tool';
  const delay = () => nextTick();
  const model = scriptedModel(
    [(prompt) => (said(prompt) ? 'done' : [{ tool: 'agent-billing', args: { prompt: 'x' } }])],
    {
      id: 'triage',
      delay,
    },
  );
  const agents = pair(lib, { billing: { model: scriptedModel(['settled'], { id: 'billing', delay }) } });
  agents.supervisor.__updateModel({ model });
  return agents;
}

export const MANY = {
  async concurrent(lib) {
    const agents = shared(lib);
    const run = async (n) => {
      const requestContext = context(lib, { customer_id: `c-${n}`, [`only_${n}`]: true });
      const options = { requestContext, runId: `run-${n}` };
      if (n % 2 === 0) return (await agents.supervisor.generate('x', options)).text;
      return (await agents.supervisor.stream('x', options)).text;
    };
    const texts = await Promise.all(Array.from({ length: 200 }, (_, n) => run(n)));
    return { texts: [...new Set(texts)] };
  },
  async leak(lib) {
    const agents = shared(lib);
    const refs = [];
    const run = async (n) => {
      const requestContext = context(lib, { customer_id: `c-${n}`, held: { n } });
      refs.push(new WeakRef(requestContext.get('held')));
      await agents.supervisor.generate('x', { requestContext });
      const stream = await agents.supervisor.stream('x', { requestContext });
      for await (const chunk of stream.fullStream) void chunk;
    };
    for (let n = 0; n < 20; n += 1) await run(n);
    for (let n = 0; n < 5; n += 1) {
      await nextTick();
      globalThis.gc();
    }
    // The last run may still stand on the stack.
    return { held: refs.slice(0, -1).filter((ref) => ref.deref() !== undefined).length };
  },
};

export const SCENARIOS = { ...VERDICTS, ...WAYS, ...MESSAGES, ...NETWORKS, ...RESUMES, ...MANY };
