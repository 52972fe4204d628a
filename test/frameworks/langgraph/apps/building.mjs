// What the scenarios build their graphs from.
export const say = (content) => ({ role: 'user', content });
export const call = (name, args = {}) => [{ name, args }];

export function builders({ lg, prebuilt, tool, z, ToolMessage }) {
  const { Annotation, Command, MessagesAnnotation, getCurrentTaskInput } = lg;
  const none = z.object({});
  return {
    /** A state of messages, of the swarm's own member, and of the given keys. */
    stateWith: (...keys) =>
      Annotation.Root({
        ...MessagesAnnotation.spec,
        activeAgent: Annotation,
        ...Object.fromEntries(keys.map((key) => [key, Annotation])),
      }),
    react: (name, llm, tools = [], stateSchema) =>
      prebuilt.createReactAgent({ name, llm, tools, ...(stateSchema ? { stateSchema } : {}) }),
    /** A transfer of the application's own that takes members of the state along. */
    transfer: (to, keys = [], { schema = none, update = () => ({}) } = {}) =>
      tool(
        async (args, config) => {
          const state = getCurrentTaskInput();
          const done = new ToolMessage({ content: 'transferred', tool_call_id: config.toolCall.id });
          return new Command({
            goto: to,
            graph: Command.PARENT,
            update: {
              messages: [...state.messages, done],
              activeAgent: to,
              ...Object.fromEntries(keys.map((key) => [key, state[key]])),
              ...update(args),
            },
          });
        },
        { name: `transfer_to_${to}`, description: 'hand over', schema },
      ),
    /** A tool that writes to the state of its agent. */
    writer: (name, update) =>
      tool(
        async (_, config) =>
          new Command({
            update: { ...update, messages: [new ToolMessage({ content: 'noted', tool_call_id: config.toolCall.id })] },
          }),
        { name, description: name, schema: none },
      ),
    simple: (name, work, schema = none) => tool(work, { name, description: name, schema }),
  };
}
