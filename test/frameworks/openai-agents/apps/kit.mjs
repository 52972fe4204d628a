// What the scenarios are made of: a scripted model by the SDK's interface, which every version has, and a record of all that
// the application and its model see.

export function createRecord() {
  const lines = [];
  return { lines, add: (kind, value) => lines.push(`${kind} ${mask(JSON.stringify(value))}`) };
}

/** Ids are new in each run; everything else has to be the same. */
function mask(text) {
  return (text ?? 'undefined').replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>');
}

export const says = (text) => [
  { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
];
export const call = (name, args = {}, callId = `call_${name}`) => ({
  type: 'function_call',
  id: `fc_${callId}`,
  callId,
  name,
  status: 'completed',
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});
/** The SDK's default tool for a handoff to the agent of that name. */
export const transfer = (agent, args = {}, callId = 'call_1') => call(`transfer_to_${agent}`, args, callId);

export function createKit({ sdk, z }, record) {
  const { Agent, handoff, Runner, tool, Usage } = sdk;

  /** Answers with the turns of a script in order, and with `done` after them. A function is asked, an error is thrown. */
  function scripted(script) {
    const turns = [...script];
    const next = async (request) => {
      const { input, tools, handoffs, systemInstructions } = request;
      record.add('model', {
        input,
        systemInstructions,
        tools: [...tools, ...handoffs].map((each) => each.name ?? each.toolName),
      });
      const turn = turns.shift() ?? says('done');
      const output = typeof turn === 'function' ? await turn(request) : turn;
      if (output instanceof Error) throw output;
      return output;
    };
    return {
      getResponse: async (request) => ({ usage: new Usage(), output: await next(request), responseId: 'resp_1' }),
      async *getStreamedResponse(request) {
        const output = await next(request);
        yield { type: 'response_started' };
        const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
        yield { type: 'response_done', response: { id: 'resp_1', usage, output } };
      },
    };
  }

  const agent = (name, script = [], options = {}) =>
    new Agent({ name, instructions: `You are ${name}.`, model: scripted(script), ...options });
  const makeTool = (name, execute, options = {}) =>
    tool({ name, description: name, parameters: z.object({}), execute, ...options });
  /** A handoff whose arguments the SDK checks. */
  const withOrder = (target, options = {}) =>
    handoff(target, { inputType: z.object({ order_id: z.string() }), onHandoff: () => undefined, ...options });

  async function run(first, { stream = false, config = {}, input = 'Where is my order?', ...options } = {}) {
    const runner = new Runner(config);
    try {
      const result = await runner.run(first, input, { context: { locale: 'de' }, ...options, stream });
      if (stream) {
        for await (const event of result) record.add('event', { type: event.type, name: event.name });
        await result.completed;
      }
      record.add('result', {
        output: result.finalOutput,
        last: result.lastAgent?.name,
        history: result.history,
        interruptions: result.interruptions?.length,
        context: result.state?._context?.context,
      });
      return result;
    } catch (error) {
      record.add('error', { name: error.name, message: error.message });
      return undefined;
    }
  }

  return { agent, makeTool, withOrder, scripted, run };
}
