import { ReadableStream } from 'node:stream/web';

/**
 * A language model of the provider interface (version 2) that answers by script. Each turn is a text, a list of calls
 * `{ tool, args }`, an error to throw, or a function of the messages that gives one of these. All it is asked is kept.
 */
export function scriptedModel(turns, { id = 'scripted', inputs = [], delay } = {}) {
  let turn = 0;
  const next = async (options) => {
    inputs.push({ model: id, prompt: options.prompt, tools: (options.tools ?? []).map((tool) => tool.name).sort() });
    const mine = turn;
    turn += 1;
    if (delay !== undefined) await delay(options.abortSignal);
    let answer = turns[Math.min(mine, turns.length - 1)];
    if (typeof answer === 'function') answer = answer(options.prompt);
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }], finishReason: 'stop' };
    const calls = answer.map(({ tool, args, callId }, index) => ({
      type: 'tool-call',
      toolCallId: callId ?? `${id}-${mine}-${index}`,
      toolName: tool,
      input: typeof args === 'string' ? args : JSON.stringify(args),
    }));
    return { content: calls, finishReason: 'tool-calls' };
  };
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: id,
    supportedUrls: {},
    inputs,
    async doGenerate(options) {
      const { content, finishReason } = await next(options);
      return { content, finishReason, usage, warnings: [] };
    },
    async doStream(options) {
      const { content, finishReason } = await next(options);
      const parts = [
        { type: 'stream-start', warnings: [] },
        ...content.flatMap((part, index) =>
          part.type === 'text'
            ? [
                { type: 'text-start', id: `t${index}` },
                { type: 'text-delta', id: `t${index}`, delta: part.text },
                { type: 'text-end', id: `t${index}` },
              ]
            : [part],
        ),
        { type: 'finish', finishReason, usage },
      ];
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
}
