import { elements, memberOf, ownData, text } from '../../hooks/own-data.js';
import type { AgentLike, SessionLike } from './internal-types.js';

// What the events of a session, and the contents of a request made of them, say that matters to a handoff.

/** Events that are looked through for one of them, from the last one back. */
const MAX_EVENTS = 4_096;

/** The texts of the message that began the work at hand: the last one of the user's in the same invocation. */
export function openingMessage(session: SessionLike | undefined, invocationId: string | undefined): readonly string[] {
  for (const event of newestFirst(session)) {
    if (ownData(event, 'invocationId') !== invocationId) return [];
    if (ownData(event, 'author') !== 'user') continue;
    const texts = textsOf(event);
    if (texts.length > 0) return texts;
  }
  return [];
}

/**
 * The events that a target's request will be made of. With `includeContents: 'none'` those are the last one that another
 * agent or the user made and what follows it, and calls that are answered there.
 */
export function reachingEvents(target: AgentLike, session: SessionLike | undefined): readonly unknown[] {
  const events = elements(memberOf(session, 'events').value);
  if (ownData(target, 'includeContents') !== 'none') return events;
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const author = ownData(events[at], 'author');
    if (author === ownData(target, 'name') || partsOf(events[at]).length === 0) continue;
    const answered = new Set(partsOf(events[at]).map((part) => ownData(ownData(part, 'functionResponse'), 'id')));
    const asks = (event: unknown): boolean =>
      partsOf(event).some((part) => {
        const id = ownData(ownData(part, 'functionCall'), 'id');
        return id !== undefined && answered.has(id);
      });
    return [...events.slice(0, at).filter(asks), ...events.slice(at)];
  }
  return [];
}

/** The members `functionCall` or `functionResponse` of an event's parts. */
export function callsIn(event: unknown, kind: 'functionCall' | 'functionResponse'): readonly unknown[] {
  return partsOf(event).flatMap((part) => ownData(part, kind) ?? []);
}

/** What the user sent to begin an invocation. */
export function userEventsOf(session: SessionLike | undefined, invocationId: string | undefined): readonly unknown[] {
  const found: unknown[] = [];
  for (const event of newestFirst(session)) {
    if (ownData(event, 'invocationId') !== invocationId) break;
    if (ownData(event, 'author') === 'user') found.push(event);
  }
  return found;
}

/** The invocation in which a call was made; another than the present one where the call is taken up again. */
export function invocationOfCall(session: SessionLike | undefined, callId: string): string | undefined {
  for (const event of newestFirst(session))
    for (const part of partsOf(event))
      if (ownData(ownData(part, 'functionCall'), 'id') === callId) return text(ownData(event, 'invocationId'));
  return undefined;
}

/** What the parts of an event, or of a content of a request, hold: texts, arguments of calls, results of tools. */
export function readableOf(eventOrContent: unknown): readonly unknown[] {
  return partsOf(eventOrContent).flatMap((part) => [
    reported(text(ownData(part, 'text'))),
    ownData(ownData(part, 'functionCall'), 'args'),
    ownData(ownData(part, 'functionResponse'), 'response'),
  ]);
}

/** The texts of an event, or of a content of a request. */
export function textsOf(eventOrContent: unknown): readonly string[] {
  return partsOf(eventOrContent).flatMap((part) => text(ownData(part, 'text')) ?? []);
}

/** The contents of a model request. */
export function contentsOf(request: unknown): readonly unknown[] {
  return elements(memberOf(request, 'contents').value);
}

/** The instructions of a model request. */
export function instructionsOf(request: unknown): unknown {
  return ownData(ownData(request, 'config'), 'systemInstruction');
}

/** Result of a tool as the last answer of that name in the contents says it. */
export function lastResponse(request: unknown, tool: string): unknown {
  for (const content of [...contentsOf(request)].reverse())
    for (const part of partsOf(content)) {
      const response = ownData(part, 'functionResponse');
      if (ownData(response, 'name') === tool) return ownData(response, 'response');
    }
  return undefined;
}

/** Arguments of another agent's call, as the framework words them for the agent that is given its history. */
export function retoldArguments(request: unknown, source: string, tool: string): string | undefined {
  const opening = `[${source}] called tool \`${tool}\` with parameters: `;
  const found = contentsOf(request)
    .flatMap(textsOf)
    .filter((each) => each.startsWith(opening));
  return found.at(-1)?.slice(opening.length);
}

const RETOLD = /^\[[^\]]*\] (?:said: |called tool `[^`]*` with parameters: |tool `[^`]*` returned result: )/;

/** What another agent said or did, without the words that the framework puts before it. */
function reported(value: string | undefined): string | undefined {
  return value?.replace(RETOLD, '');
}

function partsOf(eventOrContent: unknown): readonly unknown[] {
  const parts = ownData(eventOrContent, 'parts') ?? ownData(ownData(eventOrContent, 'content'), 'parts');
  return elements(parts);
}

function* newestFirst(session: SessionLike | undefined): Generator<unknown> {
  const events = elements(memberOf(session, 'events').value);
  for (let at = events.length - 1; at >= 0 && at >= events.length - MAX_EVENTS; at -= 1) yield events[at];
}
