import { payloadSize } from '../../capture/payload-size.js';
import { unite } from '../../capture/unite.js';
import { newHandoffId } from '../../handoff/id.js';
import { beginHandoff, endHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ownData } from '../../hooks/own-data.js';
import { membersOf } from './bind-call.js';
import { targetOf } from './route-decision.js';
import { ownInstructions, settingsOf } from './agent-names.js';
import { readCarriers, recordOfText, type SentText, stageEvidence } from './carriers.js';
import { mayKnowByCode } from './made-at-work.js';
import { holdsFiles, structuresOf, textsOf } from './messages.js';
import { otherWays } from './other-ways.js';
import type { Delegation, ToolWork } from './run.js';

/**
 * An agent is called inside a tool of another one: the other hands over to it. `undefined` where an agent calls itself.
 *
 * The source is the input of the tool, its context, the call options and contexts of the agent that runs it, and whatever
 * was sent: the tool's own code may have known it. The payload is what the called agent receives.
 */
export function delegate(work: ToolWork, agent: object, name: string, options: unknown): Delegation | undefined {
  const { from } = work;
  if (agent === from.agent || name === from.name) return undefined;
  const before = work.delegations.filter((each) => each.name === name);
  const last = before.at(-1);
  // The call of before has failed, and the tool calls the same agent again: the same handoff, built once more.
  const again = last?.failed === true ? last : undefined;
  const nth = again?.nth ?? (last === undefined ? 0 : last.nth + 1);
  const parallel = [...from.open].some((other) => other !== work && other.delegations.length > 0);
  const handoff = beginHandoff({
    wiring: from.wiring,
    source: from.name,
    target: targetOf(work, name),
    prefix: 'vercel-ai',
    idParts: [from.runKey, work.call.callId ?? '', name, nth],
    attempt: again === undefined ? undefined : again.handoff.state.attempt + 1,
    task: from.followed.record.task,
    subtaskId: parallel ? newHandoffId() : undefined,
    context: work.call.context,
    from: from.followed.ended ? undefined : from.followed.record,
    mode: 'delegation',
    startTime: from.followed.now(),
  });
  const sourceContexts = [
    ...from.contexts,
    ownData(work.options, 'experimental_context'),
    ownData(work.options, 'context'),
  ];
  const sourceMembers = [work.input, ownData(from.options, 'options')];
  const values = [...sourceMembers, ...sourceContexts];
  const prompts = ['prompt', 'messages'].map((member) => ownData(options, member));
  const sent: readonly SentText[] = prompts
    .flatMap(textsOf)
    .map((text) => ({ text, record: recordOfText(text, values) }));
  // Settings of the called agent hold what it was made with, which may be for this call.
  const contexts = [options, settingsOf(agent)].flatMap((holder) => [
    ownData(holder, 'experimental_context'),
    ownData(holder, 'runtimeContext'),
    ...membersOf(ownData(holder, 'toolsContext')),
  ]);
  const members = [ownData(options, 'options')];
  const records = [...contexts, ...members, ...sent.map(({ record }) => record)];
  const { terms } = handoff;
  const secret = from.wiring.secret();
  const readTexts = textsOf(from.prompt);
  const payload = readCarriers({ contexts, members, texts: sent }, terms, secret);
  const rewritten =
    mayKnowByCode(agent, options) ||
    prompts.some(holdsFiles) ||
    sent.some(({ text, record }) => record === undefined && !readTexts.includes(text));
  // Instructions may have been written for this call: they are looked into, but who wrote them is not asked.
  const instructions = ownInstructions(agent, options);
  const sentTexts = [...sent.map(({ text }) => text), ...instructions];
  const structures = prompts.flatMap(structuresOf);
  const { channel } = payload;
  setPayload(
    handoff,
    stageEvidence(payload, terms, { mayHold: otherWays({ structures, texts: sentTexts }, values), rewritten }),
    {
      channel,
      size: payloadSize(sizedPart(options)),
    },
  );
  const source = readCarriers({ contexts: sourceContexts, members: sourceMembers, texts: [] }, terms, secret);
  const mayHold = otherWays(
    {
      structures: structuresOf(from.prompt),
      texts: [...readTexts, ...sentTexts],
      told: readTexts.filter((text) => !from.instructions.includes(text)),
    },
    values,
  );
  setSource(
    handoff,
    stageEvidence({ capture: unite(source.capture, payload.capture, terms), channel: 'envelope' }, terms, {
      mayHold,
      rewritten: false,
    }),
  );
  const delegation: Delegation = {
    work,
    agent,
    name,
    handoff,
    sent,
    records,
    nth,
    run: undefined,
    failed: false,
    steps: undefined,
  };
  work.delegations.push(delegation);
  return delegation;
}

/** The call has gone out. */
export function dispatched({ handoff, work }: Delegation): void {
  endHandoff(handoff, 'dispatched', { at: work.from.followed.now() });
}

/** Members of the call that are sent, not those that are the application's callbacks. */
function sizedPart(options: unknown): unknown {
  const names = ['prompt', 'messages', 'options', 'experimental_context', 'runtimeContext', 'toolsContext'];
  const there = names.flatMap((name) => {
    const value = ownData(options, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const [only] = there;
  return there.length === 1 && only !== undefined ? only[1] : Object.fromEntries(there);
}
