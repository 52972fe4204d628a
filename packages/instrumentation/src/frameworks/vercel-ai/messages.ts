import { elements, ownData } from '../../hooks/own-data.js';

// Prompts come as one text or as messages; the content of a message is a text or a list of parts.

/** Every text of a prompt. */
export function textsOf(prompt: unknown): string[] {
  if (typeof prompt === 'string') return [prompt];
  return elements(prompt).flatMap((message) => {
    const content = ownData(message, 'content');
    if (typeof content === 'string') return [content];
    return elements(content).flatMap((part) => {
      const text = ownData(part, 'text');
      return typeof text === 'string' ? [text] : [];
    });
  });
}

/** What a prompt holds beside text: arguments and results of tools, files, metadata. */
export function structuresOf(prompt: unknown): unknown[] {
  return elements(prompt).flatMap((message) => [
    ownData(message, 'providerOptions'),
    ...elements(ownData(message, 'content')).flatMap((part) => {
      const output = ownData(part, 'output');
      return [ownData(part, 'input'), ownData(output, 'value') ?? output, ownData(part, 'providerOptions')];
    }),
  ]);
}

/** Whether a prompt holds files or pictures, in which anything may stand. */
export function holdsFiles(prompt: unknown): boolean {
  return elements(prompt).some((message) =>
    elements(ownData(message, 'content')).some((part) => {
      const type = ownData(part, 'type');
      return type === 'file' || type === 'image' || type === 'reasoning-file';
    }),
  );
}

/** The result of a call as the model reads it: a value, or a text; `undefined` where it is not shown. */
export function resultOf(prompt: unknown, callId: string | undefined): unknown {
  for (const message of elements(prompt)) {
    for (const part of elements(ownData(message, 'content'))) {
      if (ownData(part, 'type') !== 'tool-result' || ownData(part, 'toolCallId') !== callId) continue;
      const output = ownData(part, 'output');
      return ownData(output, 'value') ?? output;
    }
  }
  return undefined;
}
