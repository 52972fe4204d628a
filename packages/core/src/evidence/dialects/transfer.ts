import { type JsonMembers, textIn } from './call-arguments.js';
import type { SignMode } from './types.js';

/** What the call of a tool asks for. */
export interface Transfer {
  readonly target: string | undefined;
  readonly stated: boolean;
  readonly mode: SignMode | undefined;
}

/** Tools that frameworks reserve for handing over, whose target is an argument. */
const BY_ARGUMENT = /^(?:transfer_to_agent|hand_?off_to_agent|hand_?off|transfer_control|delegate_task)$/i;
const COWORKER = /^(?:delegate work|ask question) to coworker$/i;
/** Made up by LangGraph's supervisor for what is no handoff, but the answer of the worker. */
const BACK = /^transfer_back_to[_ -]/i;
const BY_NAME = /^(?:transfer|hand_?off)(?:_| |-)to(?:_| |-)(.+)$/i;
const TARGETS = [
  'agent_name',
  'agentName',
  'agentId',
  'agent_id',
  'target_agent',
  'to_agent',
  'target',
  'coworker',
  'agent',
];

/**
 * What a tool's name and arguments say of a handoff; `undefined` for a tool that hands nothing over, `'back'` for one that
 * only returns. A name of an agent that is an argument of a reserved tool is stated; one cut out of the tool's own name is
 * derived.
 */
export function transferOf(tool: string, args: JsonMembers | undefined): Transfer | 'back' | undefined {
  if (BACK.test(tool)) return 'back';
  if (BY_ARGUMENT.test(tool)) return { target: textIn(args, ...TARGETS), stated: false, mode: 'transfer' };
  if (COWORKER.test(tool)) return { target: textIn(args, 'coworker', 'co_worker'), stated: false, mode: 'delegation' };
  const named = BY_NAME.exec(tool)?.[1];
  return named === undefined ? undefined : { target: named, stated: false, mode: undefined };
}

const DELEGATE = /^(?:(?:transfer|hand_?off|delegate)[_ -]to[_ -]|agent-)(.+)$/i;

/** The agent after which a tool that holds a run without a name is named, where its name says that it hands over. */
export function agentInToolName(tool: string): string | undefined {
  return DELEGATE.exec(tool)?.[1];
}
