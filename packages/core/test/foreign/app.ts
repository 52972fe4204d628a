import type { Step } from './recording.js';

/** What an agent of an invented app did, in its order. */
export type Act =
  | { readonly tool: string; readonly args: Readonly<Record<string, string>>; readonly failed?: boolean }
  /** Hands over; `run` is what the other agent does then, `undefined` where the framework never runs it. */
  | { readonly to: string; readonly run?: readonly Act[] }
  /** Gives a part of the work away and goes on with the answer; several at once where `and` is there. */
  | {
      readonly ask: string;
      readonly run: readonly Act[];
      readonly and?: { readonly ask: string; readonly run: readonly Act[] };
    };

/** How one framework under one instrumentation records an app. */
export interface Style {
  readonly name: string;
  readonly scope: string;
  /** Frameworks of one kind know only transfers, those of the other only delegations. */
  readonly hands: 'transfer' | 'delegation' | 'both';
  /** Spans of a run that begins with this agent. */
  spans(agent: string, acts: readonly Act[]): readonly Step[];
  /** The same with content capture off, where the instrumentation has such a switch. */
  readonly silent?: (agent: string, acts: readonly Act[]) => readonly Step[];
}

export const tool = (name: string, args: Readonly<Record<string, string>> = { ticket: 'T-77' }): Act => ({
  tool: name,
  args,
});

/** Of a list of acts, those up to and with the first that hands over for good. */
export function untilTransfer(acts: readonly Act[]): {
  before: readonly Act[];
  taken: { to: string; run: readonly Act[] } | undefined;
} {
  for (const act of acts) {
    if ('to' in act && act.run !== undefined) return { before: acts, taken: { to: act.to, run: act.run } };
  }
  return { before: acts, taken: undefined };
}
