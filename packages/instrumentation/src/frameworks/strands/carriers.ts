import { elements, memberOf, ownData, text } from '../../hooks/own-data.js';
import { type CarrierReading, readCarriers } from '../../hooks/stage-carriers.js';
import type { ContractTerms } from '../../handoff/state.js';
import type { Wiring } from '../../hooks/wiring.js';
import type { AgentFrame } from './scope.js';

// What carries keys from one agent to the next in this SDK: (a) `invocationState`, which all agents of one invocation share
// by reference; (b) the `context` of a swarm's envelope; (c) a message that is a JSON object, such as the input of an
// agent; (d) what a delegate's tool call gives back. The `appState` of an agent is its own and travels with nothing.

const CONTEXT_BLOCK = 'Context:\n';

export function read(
  wiring: Wiring,
  terms: ContractTerms | undefined,
  state: unknown,
  envelopes: readonly unknown[],
): CarrierReading {
  return readCarriers({ state, envelopes }, terms, wiring.secret());
}

/** All that an agent can read as it hands over: what it shares, what it was given, and the state that is its own. */
export function readableBy(frame: AgentFrame): readonly unknown[] {
  return [...frame.given, frame.run.ended ? frame.ownState : ownState(frame.agent)];
}

/** The agent's own state, which the SDK keeps as a JSON value and gives out as a copy. */
export function ownState(agent: object): unknown {
  const store = memberOf(agent, 'appState').value;
  const getAll = memberOf(store, 'getAll').value;
  return typeof getAll === 'function' ? (getAll.call(store) as unknown) : undefined;
}

/** The texts of an input: of a text, of content blocks, or of messages. */
export function textsOf(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input];
  return elements(input).flatMap((item) => {
    const own = text(ownData(item, 'text'));
    return own === undefined
      ? elements(ownData(item, 'content')).flatMap((block) => text(ownData(block, 'text')) ?? [])
      : [own];
  });
}

/** The context of an envelope as the SDK words it for the next agent, where its model is still given it. */
export function givenContext(texts: readonly string[]): unknown {
  const found = texts.findLast((each) => each.startsWith(CONTEXT_BLOCK));
  return found?.slice(CONTEXT_BLOCK.length);
}

/** What the blocks of messages hold besides prose: inputs of tools, and their results. */
export function readableIn(messages: readonly unknown[]): readonly unknown[] {
  return messages.flatMap((message) =>
    elements(ownData(message, 'content')).flatMap((block) => [
      withoutLabel(text(ownData(block, 'text'))),
      ownData(block, 'input'),
      ...resultsOf(block),
    ]),
  );
}

/** What a tool call gave back, as the model is given it. */
export function resultOf(messages: readonly unknown[], toolUseId: string | undefined): readonly unknown[] {
  return messages.flatMap((message) =>
    elements(ownData(message, 'content')).flatMap((block) =>
      ownData(block, 'toolUseId') === toolUseId && ownData(block, 'type') === 'toolResultBlock' ? resultsOf(block) : [],
    ),
  );
}

/** What a tool result holds: JSON, or texts. */
export function resultsOf(result: unknown): readonly unknown[] {
  return elements(ownData(result, 'content')).flatMap((part) => [ownData(part, 'json'), text(ownData(part, 'text'))]);
}

function withoutLabel(value: string | undefined): string | undefined {
  return value?.startsWith(CONTEXT_BLOCK) === true ? value.slice(CONTEXT_BLOCK.length) : value;
}
