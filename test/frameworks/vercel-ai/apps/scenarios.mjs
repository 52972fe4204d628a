import { scriptedModel } from './scripted-model.mjs';

/** Runs the named scenarios, one after another, and prints what each gave and what its models were asked. */
export async function main(lib) {
  const names = process.argv[2] === undefined ? Object.keys(SCENARIOS) : process.argv[2].split(',');
  const told = {};
  for (const name of names) {
    const inputs = [];
    const kit = createKit(lib, name, inputs);
    let outcome;
    try {
      outcome = { value: await SCENARIOS[name](kit) };
    } catch (error) {
      outcome = { error: error?.name, message: error?.message };
    }
    told[name] = { ...outcome, inputs };
  }
  process.stdout.write(JSON.stringify(told));
}

function createKit(lib, scenario, inputs) {
  /** Agents have names of their own in each scenario, so that what is said of them can be told apart. */
  const named = (name) => `${scenario}-${name}`;
  const { Agent, tool, z, version } = lib;
  const model = (turns, id, more) => scriptedModel(lib, turns, { id, inputs, ...more });
  const agent = (id, turns, settings = {}, more = {}) => {
    const { instructions, ...rest } = settings;
    return new Agent({
      ...(version === 5 ? { name: named(id) } : { id: named(id) }),
      ...(instructions === undefined ? {} : { [version === 5 ? 'system' : 'instructions']: instructions }),
      model: model(turns, id, more),
      ...(version === 5 ? { stopWhen: lib.stepCountIs(20) } : {}),
      ...rest,
    });
  };
  /** What makes a context reach the tools of an agent, in the words of the version. */
  const withContext = (context) => (version === 7 ? { runtimeContext: context } : { experimental_context: context });
  const contextOf = (options) => (version === 7 ? options.context : options.experimental_context);
  const delegate = (execute, shape = { task: z.string(), orderId: z.string().optional() }) =>
    tool({ description: 'asks the refund desk', inputSchema: z.object(shape), execute });
  const triage = (refunds, args = { task: 'refund the customer', orderId: 'ord-4711' }, settings = {}) =>
    agent('triage', [[{ tool: 'ask_refunds', args }], 'done'], { tools: { ask_refunds: refunds }, ...settings });
  /** A name for a call without an agent. Telemetry stays off: the name is read either way. */
  const callNamed = (name) =>
    version === 7
      ? { telemetry: { isEnabled: false, functionId: named(name) } }
      : { experimental_telemetry: { isEnabled: false, functionId: named(name) } };
  const forget = () => inputs.splice(0);
  return { ...lib, forget, named, callNamed, model, agent, withContext, contextOf, delegate, triage };
}

const textOf = async (agent, options) => (await agent.generate(options)).text;

export const SCENARIOS = {
  /** All that is needed goes along as JSON, and arrives. */
  async passed({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The model did not write the order into the call of the tool. */
  async upstream({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask, { task: 'refund the customer' }), { prompt: 'please help' });
  },
  /** The tool makes a prompt of the task alone. */
  async packaging({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async ({ task }) => textOf(refunds, { prompt: task }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** A step of the delegate cuts its messages before the model reads them. */
  async ingestion({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded'], {
      prepareStep: () => ({ messages: [{ role: 'user', content: '{"task":"refund the customer"}' }] }),
    });
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The prompt is written from a template: nobody can tell from it what is not in there. */
  async prose({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async ({ task }) => textOf(refunds, { prompt: `Please do this now: ${task}` }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The value stands in the text that is sent. */
  async valueInText({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async ({ task }) => textOf(refunds, { prompt: task }));
    return textOf(triage(ask, { task: 'refund ord-4711', orderId: 'ord-4711' }), { prompt: 'please help' });
  },
  /** Streams on both sides. */
  async streamed({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async function* (input) {
      const result = await refunds.stream({ prompt: JSON.stringify(input) });
      let all = '';
      for await (const part of result.textStream) yield (all += part);
    });
    const result = await triage(ask).stream({ prompt: 'please help' });
    let all = '';
    for await (const part of result.textStream) all += part;
    return all;
  },
  /** Two delegates at once. */
  async fanOut({ agent, delegate }) {
    const refunds = agent('refunds', ['refunded']);
    const billing = agent('billing', ['billed']);
    const outer = agent(
      'triage',
      [
        [
          { tool: 'ask_refunds', args: { task: 'refund the customer', orderId: 'ord-4711' } },
          { tool: 'ask_billing', args: { task: 'bill the customer' } },
        ],
        'done',
      ],
      {
        tools: {
          ask_refunds: delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) })),
          ask_billing: delegate(async (input) => textOf(billing, { prompt: JSON.stringify(input) })),
        },
      },
    );
    return textOf(outer, { prompt: 'please help' });
  },
  /** A delegate that delegates. */
  async nested({ agent, delegate, triage }) {
    const ledger = agent('ledger', ['booked']);
    const refunds = agent('refunds', [[{ tool: 'book', args: { task: 'book it', orderId: 'ord-4711' } }], 'refunded'], {
      tools: { book: delegate(async (input) => textOf(ledger, { prompt: JSON.stringify(input) })) },
    });
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** Two agents that hand the same to each other, five times over. */
  async loop({ agent, delegate }) {
    const agents = {};
    const to = (name) => delegate(async (input) => textOf(agents[name], { prompt: JSON.stringify(input) }));
    const ask = [{ tool: 'ask', args: { task: 'refund the customer', orderId: 'ord-4711' } }];
    agents.triage = agent('triage', [ask, ask, ask, ask, ask, 'done'], { tools: { ask: to('refunds') } });
    agents.refunds = agent('refunds', [ask, ask, ask, ask, 'refunded'], { tools: { ask: to('triage') } });
    return textOf(agents.triage, { prompt: 'please help' });
  },
  /** The delegate's model fails; the tool tries again and it works. */
  async retried({ agent, delegate, triage }) {
    const refunds = agent('refunds', [new Error('model down'), 'refunded'], { maxRetries: 0 });
    const ask = delegate(async (input) => {
      try {
        return await textOf(refunds, { prompt: input.task });
      } catch {
        return textOf(refunds, { prompt: JSON.stringify(input) });
      }
    });
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** A tool of the delegate fails after the handoff. */
  async toolFails({ agent, delegate, triage, tool, z }) {
    const refunds = agent('refunds', [[{ tool: 'pay', args: {} }], 'refunded'], {
      tools: {
        pay: tool({
          description: 'pays',
          inputSchema: z.object({}),
          execute: async () => {
            throw new TypeError('no bank');
          },
        }),
      },
    });
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** A step of the delegate throws before its model is called. */
  async stepFails({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded'], {
      prepareStep: () => {
        throw new RangeError('no step');
      },
    });
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The application calls everything off while the delegate's model works. */
  async aborted({ agent, delegate, triage }) {
    const control = new globalThis.AbortController();
    const refunds = agent(
      'refunds',
      ['refunded'],
      {},
      {
        delay: (signal) => {
          control.abort();
          signal?.throwIfAborted();
        },
      },
    );
    const ask = delegate(async (input, { abortSignal }) =>
      textOf(refunds, { prompt: JSON.stringify(input), abortSignal }),
    );
    return textOf(triage(ask), { prompt: 'please help', abortSignal: control.signal });
  },
  /** One agent, several steps and a tool: nothing is handed over. */
  async alone({ agent, tool, z }) {
    const look = tool({ description: 'looks', inputSchema: z.object({}), execute: async () => ({ found: 1 }) });
    return textOf(
      agent('triage', [[{ tool: 'look', args: {} }], [{ tool: 'look', args: {} }], 'done'], { tools: { look } }),
      {
        prompt: 'please help',
      },
    );
  },
  /** An agent that calls itself is no boundary. */
  async itself({ agent, delegate }) {
    const self = agent('triage', [[{ tool: 'again', args: { task: 'deeper' } }], 'inner', 'done'], {
      tools: { again: delegate(async ({ task }) => textOf(self, { prompt: task })) },
    });
    return textOf(self, { prompt: 'please help' });
  },
  /** The order goes along in the context that the agents share, and the task as the prompt. */
  async context({ agent, delegate, triage, withContext }) {
    const refunds = agent('refunds', ['refunded'], withContext({ orderId: 'ord-4711' }));
    const ask = delegate(async ({ task }) =>
      textOf(refunds, { prompt: task, ...withContext({ orderId: 'ord-4711', locale: 'de' }) }),
    );
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The delegate answers with JSON, of which the tool gives on a part only. */
  async returns({ agent, delegate, triage }) {
    const refunds = agent('refunds', [JSON.stringify({ receipt: 'r-9', amount: 5 })]);
    const ask = delegate(async (input) => {
      const { amount } = JSON.parse(await textOf(refunds, { prompt: JSON.stringify(input) }));
      return { amount };
    });
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** Many at once, each with keys of its own. */
  async many({ agent, delegate, triage }) {
    const texts = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const refunds = agent('refunds', [`refunded ${index}`]);
        const ask = delegate(async (input) =>
          textOf(refunds, { prompt: JSON.stringify({ ...input, [`own_${index}`]: 1 }) }),
        );
        return textOf(triage(ask), { prompt: `please help ${index}` });
      }),
    );
    return texts.length;
  },
  /** Call options that nothing makes readable for the model (versions 6 and 7). */
  async callOptions({ agent, delegate, triage, version }) {
    if (version === 5) return undefined;
    const refunds = agent('refunds', ['refunded'], { instructions: 'You refund.' });
    const ask = delegate(async ({ task, orderId }) => textOf(refunds, { prompt: task, options: { orderId } }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** Call options that `prepareCall` writes into the instructions. */
  async prepared({ agent, delegate, triage, version, z }) {
    if (version === 5) return undefined;
    const refunds = agent('refunds', ['refunded'], {
      instructions: 'You refund.',
      callOptionsSchema: z.object({ orderId: z.string() }),
      prepareCall: ({ options, ...rest }) => ({ ...rest, instructions: `You refund ${options.orderId}.` }),
    });
    const ask = delegate(async ({ task, orderId }) => textOf(refunds, { prompt: task, options: { orderId } }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The model asks for one desk, and the application's table leads to another. */
  async misrouted({ agent, delegate, named, z }) {
    const billing = agent('billing', ['billed']);
    const table = { [named('refunds')]: billing };
    const ask = delegate(async ({ agent: name, ...input }) => textOf(table[name], { prompt: JSON.stringify(input) }), {
      agent: z.string(),
      task: z.string(),
      orderId: z.string(),
    });
    const args = { agent: named('refunds'), task: 'refund the customer', orderId: 'ord-4711' };
    return textOf(agent('triage', [[{ tool: 'ask', args }], 'done'], { tools: { ask } }), { prompt: 'please help' });
  },
  /** Agents that are nothing but calls of `generateText`, with and without names. */
  async functions({ generateText, model, delegate, callNamed, stepCountIs }) {
    const ask = delegate(async ({ task }) => {
      await generateText({ model: model(['a summary'], 'helper'), prompt: task });
      const result = await generateText({
        model: model(['refunded'], 'refunds'),
        system: 'You refund.',
        prompt: task,
        ...callNamed('refunds'),
      });
      return result.text;
    });
    const outer = model(
      [[{ tool: 'ask', args: { task: 'refund the customer', orderId: 'ord-4711' } }], 'done'],
      'triage',
    );
    const { text } = await generateText({
      model: outer,
      tools: { ask },
      stopWhen: stepCountIs(5),
      prompt: 'please help',
      ...callNamed('triage'),
    });
    return text;
  },
  /** The same as streams. */
  async functionStreams({ streamText, model, delegate, callNamed, stepCountIs }) {
    const ask = delegate(async (input) => {
      const result = streamText({
        model: model(['refunded'], 'refunds'),
        prompt: JSON.stringify(input),
        ...callNamed('refunds'),
      });
      let all = '';
      for await (const part of result.textStream) all += part;
      return all;
    });
    const outer = model(
      [[{ tool: 'ask', args: { task: 'refund the customer', orderId: 'ord-4711' } }], 'done'],
      'triage',
    );
    const result = streamText({
      model: outer,
      tools: { ask },
      stopWhen: stepCountIs(5),
      prompt: 'please help',
      ...callNamed('triage'),
    });
    let all = '';
    for await (const part of result.textStream) all += part;
    return all;
  },
  /** The same, and the delegate's step takes the order out of the context (versions 6 and 7). */
  async contextCut({ agent, delegate, triage, withContext, version }) {
    if (version === 5) return undefined;
    const refunds = agent('refunds', ['refunded'], { prepareStep: () => withContext({ locale: 'de' }) });
    const ask = delegate(async ({ task, orderId }) =>
      textOf(refunds, { prompt: task, ...withContext({ orderId, locale: 'de' }) }),
    );
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The tool knows the order by itself and sends it: the source had it. */
  async knownToTool({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async ({ task }) =>
      textOf(refunds, { prompt: JSON.stringify({ task, orderId: 'ord-4711' }) }),
    );
    return textOf(triage(ask, { task: 'refund the customer' }), { prompt: 'please help' });
  },
  /** What the user wrote has the order, and the model did not pass it on: text proves presence only. */
  async onlyInTalk({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask, { task: 'refund the customer' }), { prompt: 'please help with order ord-4711' });
  },
  /** The delegate asks another model than its own in its first step. */
  async otherModel({ agent, delegate, triage, model }) {
    const other = model(['refunded'], 'other');
    const refunds = agent('refunds', ['never'], {
      prepareStep: ({ model: own }) => ({ model: own === other ? own : other }),
    });
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** A model, settings and a tool that nobody can change, and a tool of a class. */
  async frozen({ agent, delegate, triage, model }) {
    class Ask {
      #secret = 'kept';
      description = 'asks';
      inputSchema = delegate(async () => '').inputSchema;
      async execute(input) {
        return `${this.#secret} ${await textOf(refunds, { prompt: JSON.stringify(input) })}`;
      }
    }
    const refunds = agent('refunds', ['refunded'], { model: Object.freeze(model(['refunded'], 'refunds')) });
    return textOf(triage(new Ask()), { prompt: 'please help' });
  },
  /** A tool needs a person's approval, and gets it (versions 6 and 7). */
  async approved({ agent, tool, z, version }) {
    if (version === 5) return undefined;
    let paid = 0;
    const pay = tool({
      description: 'pays',
      inputSchema: z.object({ amount: z.number() }),
      needsApproval: true,
      execute: async () => (paid += 1),
    });
    const refunds = agent('refunds', [[{ tool: 'pay', args: { amount: 5 } }], 'refunded'], { tools: { pay } });
    const messages = [{ role: 'user', content: 'please help' }];
    const first = await refunds.generate({ messages });
    const { approvalId } = first.content.find(({ type }) => type === 'tool-approval-request');
    messages.push(...first.response.messages, {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId, approved: true }],
    });
    const { text } = await refunds.generate({ messages });
    return { paid, text };
  },
  /** The delegate streams JSON, which the tool gives on. */
  async streamedReturn({ agent, delegate, triage }) {
    const refunds = agent('refunds', [JSON.stringify({ receipt: 'r-9' })]);
    const ask = delegate(async (input) => {
      const result = await refunds.stream({ prompt: JSON.stringify(input) });
      let all = '';
      for await (const part of result.textStream) all += part;
      return JSON.parse(all);
    });
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The stream of an agent is called off while its model works. */
  async abortedStream({ agent, delegate, triage }) {
    const control = new globalThis.AbortController();
    const refunds = agent(
      'refunds',
      ['refunded'],
      {},
      {
        delay: (signal) => {
          control.abort();
          signal?.throwIfAborted();
        },
      },
    );
    const ask = delegate(async (input, { abortSignal }) =>
      textOf(refunds, { prompt: JSON.stringify(input), abortSignal }),
    );
    const result = await triage(ask).stream({ prompt: 'please help', abortSignal: control.signal });
    const types = [];
    for await (const part of result.fullStream) types.push(part.type);
    return types;
  },
  /** The delegate is made for the call: its tools know the order by themselves. */
  async madeForTheCall({ agent, delegate, triage, tool, z }) {
    const ask = delegate(async ({ task, orderId }) => {
      const pay = tool({ description: 'pays', inputSchema: z.object({}), execute: async () => orderId });
      return textOf(agent('refunds', ['refunded'], { tools: { pay } }), { prompt: task });
    });
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The delegate is made for the call, with the order in its instructions. */
  async instructed({ agent, delegate, triage }) {
    const ask = delegate(async ({ task, orderId }) =>
      textOf(agent('refunds', ['refunded'], { instructions: `Order ${orderId}` }), { prompt: task }),
    );
    return textOf(triage(ask), { prompt: 'please help' });
  },
  /** The order stands in what the user wrote, and nothing says that it is one. */
  async untold({ agent, delegate, triage }) {
    const refunds = agent('refunds', ['refunded']);
    const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(input) }));
    return textOf(triage(ask, { task: 'refund the customer' }), { prompt: 'money back for A-77, please' });
  },
  /** What is left of many runs, among them streams that nobody reads, once they are over (with `--expose-gc`). */
  async leak({ agent, delegate, forget, triage }) {
    const kept = [];
    const keep = (value) => (kept.push(new WeakRef(value)), value);
    const once = async () => {
      const refunds = keep(agent('refunds', ['refunded']));
      const ask = delegate(async (input) => textOf(refunds, { prompt: JSON.stringify(keep(input)) }));
      await textOf(keep(triage(ask)), { prompt: 'please help' });
      const given = agent('given_up', ['never read']);
      keep(await given.stream(keep({ prompt: 'please help' })));
    };
    for (let index = 0; index < 50; index += 1) await once();
    forget();
    for (let round = 0; round < 20; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      globalThis.gc?.();
    }
    return kept.filter((each) => each.deref() !== undefined).length;
  },
};
