// What the scenarios are made of: a scripted model that is a subclass of the framework's own, and a record of all that
// the application sees.

/** The record of one scenario: model inputs, events, errors, in the order in which the application saw them. */
export function createRecord() {
  const lines = [];
  return {
    lines,
    add: (kind, value) => lines.push(`${kind} ${mask(JSON.stringify(value))}`),
  };
}

/** Ids and times are new in each run; everything else has to be the same. */
function mask(text) {
  return (text ?? 'undefined')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/"id":"[A-Za-z0-9]{8}"/g, '"id":"<id>"')
    .replace(/"timestamp":\d+(\.\d+)?/g, '"timestamp":0');
}

export const call = (name, args = {}, id) => ({ functionCall: { name, args, ...(id === undefined ? {} : { id }) } });
export const says = (text) => ({ content: { role: 'model', parts: [{ text }] } });
export const calls = (...parts) => ({ content: { role: 'model', parts } });
export const transfer = (agentName, args = {}) => calls(call('transfer_to_agent', { agentName, ...args }));

export function createKit(adk, record) {
  class ScriptedLlm extends adk.BaseLlm {
    constructor(script) {
      super({ model: 'scripted' });
      this.script = [...script];
    }

    async *generateContentAsync(request, stream) {
      record.add('model', { contents: request.contents, system: request.config?.systemInstruction, stream });
      const next = this.script.shift() ?? says('done');
      const reply = typeof next === 'function' ? await next(request) : next;
      if (reply instanceof Error) throw reply;
      for (const each of Array.isArray(reply) ? reply : [reply]) yield each;
    }
  }
  const agent = (name, script, options = {}) =>
    new adk.LlmAgent({ name, description: name, model: new ScriptedLlm(script), ...options });
  const tool = (name, execute, options = {}) => new adk.FunctionTool({ name, description: name, execute, ...options });
  return {
    agent,
    tool,
    ScriptedLlm,
    /** Runs one turn, and records all its events and its error. Returns the runner and the session for another one. */
    async run(root, { text = 'please help', state, plugins, turn = {}, into, breakAfter } = {}) {
      const runner = into?.runner ?? new adk.InMemoryRunner({ agent: root, appName: 'shop', plugins });
      const session =
        into?.session ?? (await runner.sessionService.createSession({ appName: 'shop', userId: 'u', state }));
      const newMessage = { role: 'user', parts: [{ text }] };
      let events = 0;
      try {
        for await (const event of runner.runAsync({ userId: 'u', sessionId: session.id, newMessage, ...turn })) {
          record.add('event', event);
          events += 1;
          if (events === breakAfter) break;
        }
      } catch (error) {
        record.add('error', { name: error.name, message: error.message });
      }
      const after = await runner.sessionService.getSession({ appName: 'shop', userId: 'u', sessionId: session.id });
      record.add('state', after.state);
      return { runner, session };
    },
  };
}
