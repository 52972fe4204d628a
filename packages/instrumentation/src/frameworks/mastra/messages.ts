import { elements, ownData } from '../../hooks/own-data.js';

// Messages come in three shapes: a text; those of Mastra's memory (`content.parts`, `content.metadata`); and those that
// models read (`content` as a list of parts).

/** Everything that is text in messages, and the prompt where it is one text. */
export function textsOf(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input)) return partTexts(ownData(input, 'content'));
  return elements(input).flatMap((message) =>
    typeof message === 'string' ? [message] : partTexts(ownData(message, 'content')),
  );
}

function partTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  const parts = Array.isArray(content) ? content : ownData(content, 'parts');
  return elements(parts).flatMap((part) => {
    const text = ownData(part, 'text');
    return typeof text === 'string' ? [text] : [];
  });
}

/** What messages hold beside text: results of tools, arguments of calls, metadata. */
export function structuresOf(input: unknown): unknown[] {
  return elements(input).flatMap((message) => {
    const content = ownData(message, 'content');
    const parts = elements(Array.isArray(content) ? content : ownData(content, 'parts'));
    return [
      ownData(message, 'metadata'),
      ownData(message, 'providerOptions'),
      ownData(content, 'metadata'),
      ...parts.flatMap(partStructures),
    ];
  });
}

function partStructures(part: unknown): unknown[] {
  const output = ownData(part, 'output');
  const invocation = ownData(part, 'toolInvocation');
  return [
    ownData(output, 'value') ?? output,
    ownData(part, 'result'),
    ownData(part, 'input'),
    ownData(part, 'args'),
    ownData(part, 'data'),
    ownData(invocation, 'result'),
    ownData(invocation, 'args'),
    ownData(part, 'providerOptions'),
  ];
}

/** The messages that are part of a conversation: neither instructions nor empty. */
export function conversation(prompt: unknown): readonly unknown[] {
  return elements(prompt).filter((message) => ownData(message, 'role') !== 'system');
}
