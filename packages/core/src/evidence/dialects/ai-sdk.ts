import { type Json, isMembers, jsonOf } from './call-arguments.js';
import { toolSign } from './tool-sign.js';
import { transferOf } from './transfer.js';
import { type Dialect, type ForeignSign, type ForeignSpan, MARK } from './types.js';

/** Vercel AI SDK before 7, and its legacy spans after: `ai.operationId`. */
export const aiSdk: Dialect = {
  name: 'ai',
  read(span) {
    const operation = span.text('ai.operationId');
    if (operation === undefined) return undefined;
    if (operation === 'ai.toolCall') return tool(span);
    // One call of the SDK; what it calls itself ends in a name of its own.
    if (!/^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation)) return MARK;
    return { role: 'run', agent: span.text('ai.telemetry.functionId'), asks: asksIn(span) };
  },
};

function tool(span: ForeignSpan): ForeignSign {
  const name = span.text('ai.toolCall.name');
  if (name === undefined) return MARK;
  const agent = span.text('ai.telemetry.functionId');
  return toolSign(span, { tool: name, args: jsonOf(span.value('ai.toolCall.args')), agent });
}

/** Handoffs whose tools the app itself takes up: they stand in the last answer only. */
function asksIn(span: ForeignSpan): readonly string[] | undefined {
  const calls = jsonOf(span.value('ai.response.toolCalls'));
  const asks: string[] = [];
  for (const call of Array.isArray(calls) ? (calls as readonly Json[]) : []) {
    if (!isMembers(call) || typeof call['toolName'] !== 'string') continue;
    const input = typeof call['input'] === 'string' ? jsonOf(call['input']) : call['input'];
    const transfer = transferOf(call['toolName'], isMembers(input) ? input : undefined);
    if (typeof transfer === 'object' && transfer.target !== undefined) asks.push(transfer.target);
  }
  return asks.length === 0 ? undefined : asks;
}
