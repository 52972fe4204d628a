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

const ask = (lib, agents, members, options = {}) =>
  agents.supervisor.generate('my invoice', { requestContext: context(lib, members), ...options });

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

export const SCENARIOS = {
  ...VERDICTS,
  ...NETWORKS,
  ...RESUMES,
  async stream(lib) {
    const { supervisor, inputs } = pair(lib);
    const result = await supervisor.stream('my invoice', { requestContext: context(lib, { customer_id: 'c-1' }) });
    let text = '';
    for await (const chunk of result.textStream) text += chunk;
    return { text, inputs };
  },
};
