/**
 * A language model on the SDK's own mock of the version, that answers by script. Each turn is a text, a list of calls
 * `{ tool, args }`, an error to throw, or a function of the prompt that gives one of these. All it is asked is kept.
 */
export function scriptedModel(
  { Mock, version, simulateReadableStream },
  turns,
  { id = 'scripted', inputs = [], delay } = {},
) {
  let turn = 0;
  const next = async (options) => {
    inputs.push({ model: id, prompt: options.prompt, tools: (options.tools ?? []).map(({ name }) => name).sort() });
    const mine = turn;
    turn += 1;
    if (delay !== undefined) await delay(options.abortSignal);
    let answer = turns[Math.min(mine, turns.length - 1)];
    if (typeof answer === 'function') answer = answer(options.prompt);
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }], finishReason: finish('stop') };
    const content = answer.map(({ tool, args, callId }, index) => ({
      type: 'tool-call',
      toolCallId: callId ?? `${id}-${mine}-${index}`,
      toolName: tool,
      input: JSON.stringify(args),
    }));
    return { content, finishReason: finish('tool-calls') };
  };
  const finish = (reason) => (version === 5 ? reason : { unified: reason, raw: reason });
  const usage =
    version === 5
      ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
      : { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };
  return new Mock({
    provider: 'scripted',
    modelId: id,
    doGenerate: async (options) => ({ ...(await next(options)), usage, warnings: [] }),
    doStream: async (options) => {
      const { content, finishReason } = await next(options);
      const chunks = [
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
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}
