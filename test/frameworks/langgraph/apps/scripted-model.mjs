// A chat model with a script, for versions of @langchain/core that bring none of their own.

/** Makes `model(steps)`: each step is a text, an error, tool calls, or a function of the messages that gives one of these. */
export function scriptedModels({ BaseChatModel, AIMessage }) {
  let calls = 0;
  class ScriptedModel extends BaseChatModel {
    constructor(steps) {
      super({});
      this.steps = steps;
      this.at = 0;
    }
    _llmType() {
      return 'scripted';
    }
    bindTools() {
      return this;
    }
    async _generate(messages, options) {
      options?.signal?.throwIfAborted();
      const next = this.steps[this.at++];
      const step = typeof next === 'function' ? next(messages) : next;
      if (step instanceof Error) throw step;
      if (step === undefined) throw new Error('the script has ended');
      const message =
        typeof step === 'string'
          ? new AIMessage(step)
          : new AIMessage({
              content: '',
              tool_calls: step.map((call) => ({ type: 'tool_call', id: `call_${++calls}`, ...call })),
            });
      return { generations: [{ text: String(message.content), message }] };
    }
  }
  return (...steps) => new ScriptedModel(steps);
}

/** The same with `fakeModel()` of `@langchain/core/testing`. */
export function fakeModels({ fakeModel, AIMessage }) {
  let calls = 0;
  const messageOf = (step) =>
    step instanceof Error
      ? step
      : typeof step === 'string'
        ? new AIMessage(step)
        : new AIMessage({
            content: '',
            tool_calls: step.map((call) => ({ type: 'tool_call', id: `call_${++calls}`, ...call })),
          });
  return (...steps) => {
    let model = fakeModel();
    for (const step of steps)
      model = model.respond(typeof step === 'function' ? (messages) => messageOf(step(messages)) : messageOf(step));
    return model;
  };
}
