/* global AbortController */
// What an application can do with the SDK, good and bad. Runs every scenario against the SDK that it is given and returns
// what the application and its model could see of it. Nothing in here knows of Seamtrace.

export async function recordAll({ sdk, extensions, testing, z, stream, tracing }) {
  const { Agent, Handoff, handoff, MemorySession, RunHandoffCallItem, Runner, RunState, tool } = sdk;
  const { assistantMessage, functionCall, modelError, ScriptedModel } = testing;
  const parameters = z.object({});
  const done = [assistantMessage('done')];
  const call = (name, args = {}, callId = `call_${name}`) => functionCall(name, args, { callId });
  const toBilling = [call('transfer_to_billing', { invoice_id: 'inv-1' })];
  const invoice = { inputType: z.object({ invoice_id: z.string() }), onHandoff: () => undefined };
  const agent = (name, options = {}) => new Agent({ name, instructions: `You are ${name}.`, ...options });
  const triage = (billing = {}, offered = {}, more = []) =>
    agent('triage', { handoffs: [handoff(agent('billing', billing), { ...invoice, ...offered }), ...more] });
  const throwing = (error) => () => {
    throw error;
  };
  const makeTool = (name, execute, options = {}) => tool({ name, description: name, parameters, execute, ...options });
  const rewritten = (item) =>
    item instanceof RunHandoffCallItem
      ? new RunHandoffCallItem({ ...item.rawItem, arguments: '{}' }, item.agent)
      : item;
  const tripwire = (name, runInParallel) => ({
    name,
    runInParallel,
    execute: async () => ({ tripwireTriggered: true, outputInfo: name }),
  });
  class PrivateHandoff extends Handoff {
    #tag = 'private';
    getHandoffAsFunctionTool() {
      return { ...super.getHandoffAsFunctionTool(), description: this.#tag };
    }
  }
  class LoudRunner extends Runner {
    async run(...args) {
      return super.run(...args);
    }
  }

  const abort = new AbortController();
  const scenarios = {
    plain: { first: triage(), turns: [toBilling, done] },
    'no context': { first: triage(), turns: [toBilling, done], options: { context: undefined } },
    'no handoff': { first: triage(), turns: [done] },
    'filter rewrites': {
      first: triage({}, { inputFilter: (data) => ({ ...data, newItems: data.newItems.map(rewritten) }) }),
      turns: [toBilling, done],
    },
    'filter removes tools': { first: triage({}, { inputFilter: extensions.removeAllTools }), turns: [toBilling, done] },
    'filter throws': {
      first: triage({}, { inputFilter: throwing(new RangeError('filter')) }),
      turns: [toBilling, done],
    },
    'filter is none': { first: triage({}, { inputFilter: 'nonsense' }), turns: [toBilling, done] },
    'filter returns nothing': { first: triage({}, { inputFilter: () => undefined }), turns: [toBilling, done] },
    'filter and conversation id': {
      first: triage({}, { inputFilter: (data) => data }),
      turns: [toBilling, done],
      options: { conversationId: 'conv_1' },
    },
    'conversation id': { first: triage(), turns: [toBilling, done], options: { conversationId: 'conv_1' } },
    'runner filter': {
      first: triage(),
      turns: [toBilling, done],
      config: { handoffInputFilter: extensions.removeAllTools },
    },
    'onHandoff writes': {
      first: triage({}, { onHandoff: (runContext) => void (runContext.context.extra = 1) }),
      turns: [toBilling, done],
    },
    'onHandoff throws': {
      first: triage({}, { onHandoff: throwing(new Error('onHandoff')) }),
      turns: [toBilling, done],
    },
    'bad arguments': { first: triage(), turns: [[call('transfer_to_billing', '{oops')], done] },
    misroute: {
      first: agent('triage', { handoffs: [new Handoff(agent('billing'), async () => agent('support'))] }),
      turns: [toBilling, done],
    },
    'a synchronous handoff': {
      first: agent('triage', { handoffs: [new Handoff(agent('billing'), () => agent('billing'))] }),
      turns: [toBilling, done],
    },
    'a handoff that returns no agent': {
      first: agent('triage', { handoffs: [new Handoff(agent('billing'), async () => undefined)] }),
      turns: [toBilling, done],
    },
    'a subclass with private state': {
      first: agent('triage', { handoffs: [new PrivateHandoff(agent('billing'), async () => agent('billing'))] }),
      turns: [toBilling, done],
    },
    'disabled handoff': { first: triage({}, { isEnabled: () => false }), turns: [toBilling, done] },
    'several handoffs': {
      first: triage({}, {}, [agent('support')]),
      turns: [[...toBilling, call('transfer_to_support')], done],
    },
    'tool beside handoff': {
      first: agent('triage', { tools: [makeTool('look', async () => 'seen')], handoffs: [agent('billing')] }),
      turns: [[call('look'), call('transfer_to_billing')], done],
    },
    'dynamic instructions write': {
      first: triage({ instructions: async ({ context }) => ((context.account = { id: 2 }), 'dynamic') }),
      turns: [toBilling, done],
    },
    'dynamic instructions throw': {
      first: triage({ instructions: throwing(new Error('instructions')) }),
      turns: [toBilling, done],
    },
    'dynamic prompt': { first: triage({ prompt: async () => ({ promptId: 'p1' }) }), turns: [toBilling, done] },
    'tool throws': {
      first: triage({ tools: [makeTool('bad', throwing(new TypeError('tool')))] }),
      turns: [toBilling, [call('bad')], done],
    },
    'tool throws, no errorFunction': {
      first: triage({ tools: [makeTool('bad', throwing(new TypeError('tool')), { errorFunction: null })] }),
      turns: [toBilling, [call('bad')], done],
    },
    'tool throws, own errorFunction': {
      first: triage({
        tools: [
          makeTool('bad', throwing(new TypeError('tool')), { errorFunction: (_, error) => `own ${error.message}` }),
        ],
      }),
      turns: [toBilling, [call('bad')], done],
    },
    'tools in parallel': {
      first: triage({ tools: [makeTool('one', async () => 1), makeTool('two', async () => ({ two: 2 }))] }),
      turns: [toBilling, [call('one'), call('two')], done],
    },
    'unknown tool': { first: triage(), turns: [[call('nowhere')], done] },
    'model fails': { first: triage(), turns: [toBilling, modelError(new Error('model'))] },
    'script ends': { first: triage(), turns: [toBilling] },
    'max turns': { first: triage(), turns: [toBilling, done], options: { maxTurns: 1 } },
    'error handler': {
      first: triage(),
      turns: [toBilling, done],
      options: { maxTurns: 1, errorHandlers: { maxTurns: () => ({ finalOutput: 'handled' }) } },
    },
    'blocking guardrail': {
      first: triage(),
      turns: [toBilling, done],
      config: { inputGuardrails: [tripwire('in', false)] },
    },
    'parallel guardrail': {
      first: triage(),
      turns: [toBilling, done],
      config: { inputGuardrails: [tripwire('in', true)] },
    },
    'output guardrail': { first: triage({ outputGuardrails: [tripwire('out')] }), turns: [toBilling, done] },
    'model input filter': {
      first: triage(),
      turns: [toBilling, done],
      options: {
        callModelInputFilter: Object.assign(
          async ({ modelData }) => ({ ...modelData, instructions: 'filtered', input: modelData.input.slice(-2) }),
          { preserveInputIdentity: true },
        ),
      },
    },
    'model input filter of the runner': {
      first: triage(),
      turns: [toBilling, done],
      config: { callModelInputFilter: ({ modelData }) => ({ ...modelData, input: modelData.input.slice(0, 1) }) },
    },
    'model input filter throws': {
      first: triage(),
      turns: [toBilling, done],
      options: { callModelInputFilter: throwing(new Error('model input filter')) },
    },
    'model input filter returns nothing': {
      first: triage(),
      turns: [toBilling, done],
      options: { callModelInputFilter: async () => undefined },
    },
    'nested asTool': {
      first: agent('triage', {
        tools: [agent('expert').asTool({ toolName: 'ask', toolDescription: 'x' })],
        handoffs: [agent('billing')],
      }),
      turns: [[call('ask', { input: 'why' })], done, [call('transfer_to_billing')], done],
    },
    session: { first: triage(), turns: [toBilling, done], options: { session: new MemorySession() } },
    'listener throws': {
      first: triage(),
      turns: [toBilling, done],
      listen: { agent_handoff: throwing(new Error('listener')) },
    },
    'a runner of its own class': { first: triage(), turns: [toBilling, done], Runner: LoudRunner },
    'aborted in a tool': {
      first: triage({ tools: [makeTool('abort', async () => (abort.abort(), 'late'))] }),
      turns: [toBilling, [call('abort')], done],
      options: { signal: abort.signal },
    },
    'aborted before': { first: triage(), turns: [toBilling, done], options: { signal: AbortSignal.abort() } },
    approval: {
      first: triage({ tools: [makeTool('pay', async () => 'paid', { needsApproval: true })] }),
      turns: [toBilling, [call('pay')], done],
      after: async (result, runner, first, log) => {
        if (!result.interruptions?.length) return;
        for (const item of result.interruptions) result.state.approve(item);
        const again = await runner.run(first, result.state, { stream });
        await finish(again, log);
      },
    },
    'approval through text': {
      first: triage({ tools: [makeTool('pay', async () => 'paid', { needsApproval: true })] }),
      turns: [toBilling, [call('pay')], done],
      after: async (result, runner, first, log) => {
        if (!result.interruptions?.length) return;
        const state = await RunState.fromString(first, result.state.toString());
        for (const item of state.getInterruptions()) state.approve(item);
        await finish(await runner.run(first, state, { stream }), log);
      },
    },
  };

  async function finish(result, log) {
    if (stream) {
      for await (const event of result) log('stream', event.type, event.name ?? event.data?.type ?? event.agent?.name);
      await result.completed;
    }
    log('output', result.finalOutput, result.lastAgent?.name, result.lastResponseId);
    log(
      'items',
      result.newItems.map((item) => item.toJSON?.() ?? item.type),
    );
    log('history', result.history);
  }

  const recording = [];
  for (const [name, { first, turns, options, config, listen = {}, after, Runner: Kind = Runner }] of Object.entries(
    scenarios,
  )) {
    const events = [];
    const log = (...entry) =>
      events.push(JSON.parse(JSON.stringify(entry, (_, value) => (value === undefined ? 'undefined' : value))));
    const model = new ScriptedModel(turns);
    const runner = new Kind({ model, tracingDisabled: !tracing, ...config });
    for (const type of ['agent_start', 'agent_end', 'agent_handoff', 'agent_tool_start', 'agent_tool_end']) {
      runner.on(type, (_runContext, ...rest) => log(type, ...rest.map((one) => one?.name ?? typeof one)));
      first.on(type, () => log(`agent ${type}`));
    }
    for (const [type, listener] of Object.entries(listen)) runner.on(type, listener);
    const context = { customer_id: 'c-1' };
    let result;
    try {
      result = await runner.run(first, 'My invoice is wrong.', { context, stream, ...options });
      await finish(result, log);
      await after?.(result, runner, first, log);
    } catch (error) {
      log('error', error?.constructor?.name, error?.name, error?.message, Object.keys(error ?? {}).sort());
      log('cause', error?.error?.constructor?.name, error?.error?.message, typeof error?.state);
    }
    log('context', context);
    log(
      'model',
      model.calls.map(({ request, streamed }) => ({
        ...request,
        signal: typeof request.signal,
        streamed,
        _internal: 0,
      })),
    );
    recording.push({ name, events });
  }
  return recording;
}

/** What the SDK's own tracing says, with ids replaced by their order of appearance. */
export function watchTraces(sdk) {
  const ids = new Map();
  const plain = (id) => (id ? (ids.get(id) ?? ids.set(id, ids.size).get(id)) : id);
  const said = [];
  const note = (what, item) =>
    said.push([
      what,
      item.type,
      item.name ?? item.spanData?.name,
      item.spanData?.type,
      plain(item.parentId),
      item.error ?? null,
    ]);
  sdk.setTraceProcessors([
    {
      onTraceStart: async (item) => note('trace start', item),
      onTraceEnd: async (item) => note('trace end', item),
      onSpanStart: async (item) => note('span start', item),
      onSpanEnd: async (item) => note('span end', item),
      forceFlush: async () => undefined,
      shutdown: async () => undefined,
    },
  ]);
  return said;
}
