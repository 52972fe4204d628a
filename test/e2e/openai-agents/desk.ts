import { Agent, handoff, Runner } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { z } from 'zod';

// Agents and scripted turns that several tests use.

export const invoice = { inputType: z.object({ invoice_id: z.string() }), onHandoff: () => undefined };
export const done = [assistantMessage('done')];
export const toBilling = (args: Record<string, unknown> = { invoice_id: 'inv-1' }, callId = 'call_1') =>
  functionCall('transfer_to_billing', args, { callId });
export const toSupport = (callId = 'call_2') => functionCall('transfer_to_support', {}, { callId });
export const calls = (name: string, callId: string) => functionCall(name, {}, { callId });

export function agent(name: string, options: object = {}): Agent {
  return new Agent({ name, instructions: `You are ${name}.`, ...options }) as Agent;
}

export function scripted(turns: readonly (readonly object[])[]): ScriptedModel {
  return new ScriptedModel(turns.map((turn) => [...turn]) as never);
}

export async function run(
  first: Agent,
  turns: readonly (readonly object[])[],
  options: object = {},
  config: object = {},
) {
  const runner = new Runner({ model: scripted(turns), tracingDisabled: true, ...config });
  return runner.run(first, 'My invoice is wrong.', { context: { customer_id: 'c-1' }, ...options });
}

export function triageToBilling(billing: object = {}, offered: object = {}): Agent {
  return agent('triage', { handoffs: [handoff(agent('billing', billing), { ...invoice, ...offered })] });
}
