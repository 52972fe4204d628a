// What the scenarios are made of: a scripted model that is a subclass of the SDK's own, and a record of all that the
// application sees.

export function createRecord() {
  const lines = [];
  return { lines, add: (kind, value) => lines.push(`${kind} ${mask(JSON.stringify(value))}`) };
}

/** Ids and times are new in each run; everything else has to be the same. */
function mask(text) {
  return (text ?? 'undefined')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/"(duration|latencyMs|startTime|endTime|timestamp|totalDuration|time[A-Za-z]*)":[\d.e+-]+/g, '"$1":0');
}

export const says = (text) => [{ text }];
export const uses = (...calls) => calls.map(([name, input, id], index) => ({ name, input, id: id ?? `call-${index}` }));
/** How an agent of a swarm ends its turn: with an envelope for another agent, or with none. */
export const handsOver = (agentId, context, message = 'go on') => [
  {
    name: 'strands_structured_output',
    input: { agentId, message, ...(context === undefined ? {} : { context }) },
    id: 'out',
  },
];
export const ends = (message = 'done') => [{ name: 'strands_structured_output', input: { message }, id: 'out' }];

export function createKit(strands, record) {
  class ScriptedModel extends strands.Model {
    constructor(script) {
      super();
      this.script = [...script];
    }

    updateConfig() {}

    getConfig() {
      return { modelId: 'scripted' };
    }

    async *stream(messages, options) {
      record.add('model', {
        messages,
        system: options?.systemPrompt,
        tools: options?.toolSpecs?.map(({ name }) => name),
      });
      const next =
        this.script.shift() ?? (options?.toolChoice === undefined && !hasOutput(options) ? says('done') : ends());
      const reply = typeof next === 'function' ? await next(messages) : next;
      if (reply instanceof Error) throw reply;
      yield { type: 'modelMessageStartEvent', role: 'assistant' };
      for (const part of reply) {
        if (part.text !== undefined) {
          yield { type: 'modelContentBlockStartEvent' };
          yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: part.text } };
        } else {
          yield {
            type: 'modelContentBlockStartEvent',
            start: { type: 'toolUseStart', name: part.name, toolUseId: part.id },
          };
          const input = JSON.stringify(part.input);
          yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input } };
        }
        yield { type: 'modelContentBlockStopEvent' };
      }
      const stopReason = reply.some(({ name }) => name !== undefined) ? 'toolUse' : 'endTurn';
      yield { type: 'modelMessageStopEvent', stopReason };
    }
  }
  const hasOutput = (options) => options?.toolSpecs?.some(({ name }) => name === 'strands_structured_output') === true;
  const agent = (id, script, options = {}) =>
    new strands.Agent({ id, name: id, model: new ScriptedModel(script), printer: false, ...options });
  const tool = (name, callback) =>
    new strands.FunctionTool({ name, description: name, inputSchema: { type: 'object' }, callback });
  return {
    agent,
    tool,
    swarm: (id, nodes, options = {}) => new strands.Swarm({ id, nodes, ...options }),
    /** Runs a swarm or an agent, and records its events and how it ended. */
    async run(target, input = 'please help', options = {}) {
      const { breakAfter, ...invoke } = options;
      let events = 0;
      let result;
      try {
        const stream = target.stream(input, { invocationState: {}, ...invoke });
        for (;;) {
          const { done, value } = await stream.next();
          if (done) {
            result = value;
            break;
          }
          record.add('event', {
            type: value.type,
            nodeId: value.nodeId,
            inner: value.inner?.event?.type,
            targets: value.targets,
          });
          events += 1;
          if (events === breakAfter) {
            await stream.return(undefined);
            break;
          }
        }
        record.add('result', {
          status: result?.status,
          stop: result?.stopReason,
          content: result?.content,
          results: result?.results?.map(({ nodeId, status, structuredOutput }) => ({
            nodeId,
            status,
            structuredOutput,
          })),
          state: invoke.invocationState,
        });
      } catch (error) {
        record.add('error', { name: error.name, message: error.message });
      }
      return result;
    },
  };
}
