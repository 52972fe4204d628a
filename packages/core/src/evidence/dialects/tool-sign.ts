import { digestOf, isMembers, type Json } from './call-arguments.js';
import { transferOf } from './transfer.js';
import { type ForeignSign, type ForeignSpan, MARK } from './types.js';

/** What a dialect knows of one call of a tool. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Json | undefined;
  readonly agent?: string | undefined;
  readonly place?: string | undefined;
  readonly failed?: boolean | undefined;
  /** Where an attribute made for handoffs names the target. */
  readonly destination?: string | undefined;
}

/** The call of a tool, or the request of a handoff that it stands for. */
export function toolSign(span: ForeignSpan, call: ToolCall): ForeignSign {
  const { tool, args, destination, failed } = call;
  const said = { agent: call.agent, place: call.place, tool };
  const transfer = transferOf(tool, isMembers(args) ? args : undefined);
  if (transfer === 'back') return MARK;
  if (destination !== undefined) {
    const mode = transfer === undefined ? undefined : (transfer.mode ?? 'transfer');
    return { role: 'ask', ...said, target: destination, stated: true, mode };
  }
  if (transfer !== undefined) return { role: 'ask', ...said, ...transfer };
  return { role: 'tool', ...said, digest: digestOf(args, span.traceId), failed };
}
