import type { Agent } from '@openai/agents-core';
import { Handoff, tool } from '@openai/agents-core';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, done, run, toBilling, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

// A contract may list the tools that a destination needs; each is graded as a key is.
const shop = openWorkshop(deskContracts({ tools: ['look_up_invoice'] }));
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  expect(readCounters().internal_error).toBe(0);
});

const lookUp = (options: object = {}) =>
  tool({ name: 'look_up_invoice', description: 'd', parameters: z.object({}), execute: () => 'ok', ...options });
const soleGrade = () => shop.grades()[0];

describe('tools that a destination needs', () => {
  test('survive where its model is offered them', async () => {
    await run(triageToBilling({ tools: [lookUp(), lookUp({ name: 'other' })] }), [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({ verdict: 'passed', findings: [] });
    const keys = shop.named('invoke_agent billing')[0]?.attributes['seamtrace.destination.keys'];
    expect(keys).toEqual(['$tools', '$tools.look_up_invoice', 'customer_id', 'invoice_id']);
  });

  test('are lost at ingestion where the SDK does not offer them', async () => {
    await run(triageToBilling({ tools: [lookUp({ isEnabled: false })] }), [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'ingestion_loss',
      boundary: 'payload_to_destination',
      missing_keys: ['$tools.look_up_invoice'],
    });
  });

  test('were never there where the agent is declared without them', async () => {
    await run(triageToBilling(), [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'upstream_context_missing',
      missing_keys: ['$tools.look_up_invoice'],
    });
  });

  test('are not known where they come from an MCP server, and nobody is accused', async () => {
    const server = {
      name: 'files',
      cacheToolsList: false,
      connect: () => Promise.resolve(),
      close: () => Promise.resolve(),
      listTools: () => Promise.resolve([]),
      callTool: () => Promise.resolve([]),
      invalidateToolsCache: () => Promise.resolve(),
    };
    await run(triageToBilling({ mcpServers: [server] }), [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'insufficient_evidence',
      boundary: 'source_capture',
      reason: 'unsupported',
    });
  });

  test('are not looked for behind a Proxy', async () => {
    const billing = agent('billing', { tools: [new Proxy(lookUp(), {})] });
    const triage = agent('triage', { handoffs: [new Handoff(billing, () => billing)] }) as Agent;
    await run(triage, [[toBilling()], done]);
    expect(soleGrade()?.verdict).toBe('insufficient_evidence');
  });
});
