import { types } from 'node:util';
import { elements, ownData } from '../../hooks/own-data.js';

/**
 * The messages among some input items, each as the list of the texts it is made of. Taken before a filter and compared
 * after it, also in place: it tells whether a filter wrote text that the model then reads. `undefined` when there is
 * more than is compared.
 */
export type MessageTexts = readonly (readonly unknown[])[] | undefined;

const MAX_MESSAGES = 4_096;
const MAX_TEXTS = 65_536;
const MAX_DEPTH = 32;

export function messageTexts(input: unknown): MessageTexts {
  return typeof input === 'string' ? [[input]] : textsOf(input, isMessage, 'content');
}

/** The results of tool calls among the items, which a model reads as it reads messages. */
export function answerTexts(input: unknown): MessageTexts {
  return textsOf(input, isAnswer, 'output');
}

function textsOf(input: unknown, isMeant: (item: unknown) => boolean, member: string): MessageTexts {
  const budget = { left: MAX_TEXTS };
  const messages: (readonly unknown[])[] = [];
  for (const item of elements(input)) {
    if (!isMeant(item)) continue;
    const texts: unknown[] = [];
    collect(ownData(item, member), texts, budget, 0);
    messages.push(texts);
    if (messages.length > MAX_MESSAGES || budget.left < 0) return undefined;
  }
  return messages;
}

/**
 * Whether `after` has a message that `before` had not. Messages that were dropped or moved are not rewritten. What is
 * too large to compare counts as rewritten, since then it is not known.
 */
export function rewrote(before: MessageTexts, after: MessageTexts): boolean {
  if (before === undefined || after === undefined) return true;
  const known = new Map<string, (readonly unknown[])[]>();
  for (const texts of before) {
    const alike = known.get(shape(texts));
    if (alike === undefined) known.set(shape(texts), [texts]);
    else alike.push(texts);
  }
  return after.some((texts) => {
    const alike = known.get(shape(texts)) ?? [];
    const found = alike.findIndex((other) => other.every((text, index) => text === texts[index]));
    if (found < 0) return true;
    alike.splice(found, 1);
    return false;
  });
}

function isMessage(item: unknown): boolean {
  const type = ownData(item, 'type');
  return type === 'message' || (type === undefined && typeof ownData(item, 'role') === 'string');
}

function isAnswer(item: unknown): boolean {
  return ownData(item, 'type') === 'function_call_result';
}

/** Texts, numbers and flags below a message's content. A part's `type` says only how its text is written down. */
function collect(content: unknown, texts: unknown[], budget: { left: number }, depth: number): void {
  budget.left -= 1;
  if (depth > MAX_DEPTH) budget.left = -1;
  if (budget.left < 0) return;
  if (typeof content !== 'object' || content === null) {
    if (content !== undefined && content !== null) texts.push(content);
    return;
  }
  if (types.isProxy(content)) return void (budget.left = -1);
  for (const name of Object.keys(content))
    if (name !== 'type') collect(ownData(content, name), texts, budget, depth + 1);
}

function shape(texts: readonly unknown[]): string {
  return texts.map((text) => (typeof text === 'string' ? text.length : typeof text)).join(',');
}
