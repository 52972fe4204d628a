import type { Contracts } from '@seamtrace/contracts';
import { resolveAgent } from '@seamtrace/contracts';
import type { HandoffState } from '../../handoff/state.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { A2A_HANDOFF_KEY } from '../../propagation/keys.js';
import { sameAgent } from '../../remote/same-agent.js';
import { count, tally } from '../../runtime/report.js';

/** A call as it stands against the card that its client holds. */
export interface CardCheck {
  readonly card: unknown;
  readonly message: unknown;
  readonly requestMetadata: unknown;
  /** The handoff that the application put into the message itself. */
  readonly stated: HandoffState | undefined;
  readonly contracts: Contracts | undefined;
  /** Names of the headers that the call sends, in lower case, as far as they can be seen. */
  readonly headers: ReadonlySet<string>;
}

/** Whom a card names: the agent that a call through its client is addressed to. */
export function cardName(card: unknown): string | undefined {
  return text(ownData(card, 'name'));
}

/**
 * Checks a call against the Agent Card that the client holds already: no request is made for it. What does not fit is
 * counted and said through `diag`; it changes no call and no verdict, since a card says what an agent offers, not what
 * became of a handoff.
 */
export function checkCard(check: CardCheck): void {
  checkName(check);
  checkSkill(check);
  checkAuthentication(check);
  if (!offersExtension(check.card)) {
    tally('card_extension', `the card of ${nameOf(check.card)} does not list ${A2A_HANDOFF_KEY}; it may ignore it`);
  }
}

function checkName({ card, stated, contracts }: CardCheck): void {
  const name = cardName(card);
  const target = stated?.target?.name;
  if (name !== undefined && target !== undefined && !sameAgent(name, target, contracts)) {
    count('card_identity', `a handoff to ${target} is sent to the agent whose card says ${name}`);
    return;
  }
  const declares = contracts !== undefined && contracts.agents.size > 0;
  if (declares && (name === undefined || resolveAgent(contracts, name) === undefined)) {
    tally('card_identity', `the card says ${nameOf(card)}, which is no agent of the contract file nor an alias of one`);
  }
}

/** Skills are asked for by their id, by convention in metadata, since the protocol has no member for it. */
function checkSkill({ card, message, requestMetadata }: CardCheck): void {
  for (const metadata of [ownData(message, 'metadata'), requestMetadata]) {
    const skill = text(ownData(metadata, 'skillId')) ?? text(ownData(metadata, 'skill_id'));
    if (skill === undefined) continue;
    const offered = elements(ownData(card, 'skills')).map((each) => ownData(each, 'id'));
    if (!offered.includes(skill))
      count('card_skill', `${nameOf(card)} offers no skill of the id that a message asks for`);
  }
}

/** Credentials may be added below the client, by its `fetch`: their absence here proves nothing. */
function checkAuthentication({ card, headers }: CardCheck): void {
  const asked = elements(ownData(card, 'securityRequirements') ?? ownData(card, 'security'));
  if (asked.length === 0 || headers.has('authorization') || headers.has('cookie')) return;
  tally('card_authentication', `the card of ${nameOf(card)} asks for credentials, and none are visible in the call`);
}

function offersExtension(card: unknown): boolean {
  const extensions = elements(ownData(ownData(card, 'capabilities'), 'extensions'));
  return extensions.some((extension) => ownData(extension, 'uri') === A2A_HANDOFF_KEY);
}

function nameOf(card: unknown): string {
  return cardName(card) ?? 'an agent without a name';
}
