import { Agent, handoff, Runner, tool } from '@openai/agents-core';
import { context, trace } from '@opentelemetry/api';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, calls, done, invoice, run, scripted, toBilling, toSupport, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

const shop = openWorkshop(deskContracts());
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  // Nothing of ours failed behind the application's back.
  expect(readCounters().internal_error).toBe(0);
});

const parameters = z.object({});
const description = 'x';
const parentOf = (name: string) => {
  const [span] = shop.named(name);
  return shop.spans().find((other) => other.spanContext().spanId === span?.parentSpanContext?.spanId)?.name;
};
const attribute = (name: string, key: string) => shop.named(name)[0]?.attributes[key];

describe('what one run says', () => {
  test('one trace: agents, handoff and tools in their places', async () => {
    const pay = tool({ name: 'pay', description, parameters, execute: async () => 'paid' });
    await run(triageToBilling({ tools: [pay] }), [[toBilling()], [calls('pay', 't1')], done]);
    expect(shop.spans().map((span) => span.name)).toEqual([
      'invoke_agent triage',
      'handoff billing',
      'execute_tool pay',
      'invoke_agent billing',
    ]);
    expect(new Set(shop.spans().map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(parentOf('handoff billing')).toBe('invoke_agent triage');
    expect(parentOf('invoke_agent billing')).toBe('handoff billing');
    expect(parentOf('execute_tool pay')).toBe('invoke_agent billing');
    const id = attribute('handoff billing', 'seamtrace.handoff.id');
    expect(id).toMatch(/^oai\.[0-9a-f]{32}$/);
    expect(attribute('invoke_agent triage', 'seamtrace.handoff.dispatched_ids')).toEqual([id]);
    expect(attribute('invoke_agent triage', 'seamtrace.handoff.id')).toBeUndefined();
    expect(attribute('invoke_agent billing', 'seamtrace.handoff.id')).toBe(id);
    expect(attribute('execute_tool pay', 'seamtrace.run.handoff.id')).toBe(id);
    expect(attribute('execute_tool pay', 'gen_ai.tool.call.id')).toBe('t1');
    expect(new Set(shop.spans().map((span) => span.attributes['seamtrace.task.id'])).size).toBe(1);
    for (const span of shop.spans()) expect(span.attributes['seamtrace.schema.version']).toBe('1');
  });

  test('hops: index, path and the limit of the first route, carried on', async () => {
    const triage = agent('triage');
    const support = agent('support', { handoffs: [triage] });
    const billing = agent('billing', { handoffs: [support] });
    triage.handoffs = [handoff(billing, invoice)] as never;
    const toTriage = calls('transfer_to_triage', 'call_3');
    await run(triage, [[toBilling()], [toSupport()], [toTriage], done]);
    const hops = shop
      .named('handoff')
      .map(({ attributes }) => [
        attributes['seamtrace.hop.index'],
        attributes['seamtrace.hop.limit'],
        attributes['seamtrace.hop.path'],
      ]);
    expect(hops).toEqual([
      [1, 4, ['triage', 'billing']],
      [2, 4, ['triage', 'billing', 'support']],
      [3, 4, ['triage', 'billing', 'support', 'triage']],
    ]);
    expect(new Set(shop.named('handoff').map((span) => span.attributes['seamtrace.handoff.id'])).size).toBe(3);
  });

  test('several handoffs in one turn: the first is dispatched, the others are dropped under ids of their own', async () => {
    const triage = agent('triage', { handoffs: [handoff(agent('billing'), invoice), agent('support')] });
    await run(triage, [[toBilling(), toSupport(), toBilling({ invoice_id: 'inv-2' }, 'call_3')], done]);
    const outcomes = shop
      .named('handoff')
      .map((span) => [span.name, span.attributes['seamtrace.dispatch.outcome']])
      .sort();
    expect(outcomes).toEqual([
      ['handoff billing', 'dispatched'],
      ['handoff billing', 'dropped'],
      ['handoff support', 'dropped'],
    ]);
    expect(new Set(shop.named('handoff').map((span) => span.attributes['seamtrace.handoff.id'])).size).toBe(3);
    expect(shop.grades().map(({ verdict, reason }) => [verdict, reason])).toContainEqual(['passed', null]);
    const dropped = shop.grades().filter(({ reason }) => reason === 'not_dispatched');
    expect(dropped).toHaveLength(2);
    for (const grade of dropped) expect(grade.findings.map(({ id }) => id)).toContain('announced_not_dispatched');
  });

  test('a nested asTool run stands under its tool call, as a delegation of the same task', async () => {
    const expert = agent('expert');
    const ask = expert.asTool({ toolName: 'ask_expert', toolDescription: 'x' });
    const model = scripted([[calls2('ask_expert', { input: 'why' }, 't1')], done, [toBilling()], done]);
    const triage = agent('triage', { tools: [ask], handoffs: [handoff(agent('billing'), invoice)] });
    await new Runner({ model, tracingDisabled: true }).run(triage, 'hi', { context: { customer_id: 'c' } });
    expect(parentOf('invoke_agent expert')).toBe('execute_tool ask_expert');
    expect(attribute('invoke_agent expert', 'seamtrace.handoff.id')).toBe(
      attribute('handoff expert', 'seamtrace.handoff.id'),
    );
    expect(attribute('invoke_agent expert', 'seamtrace.task.id')).toBe(
      attribute('invoke_agent triage', 'seamtrace.task.id'),
    );
    const grades = shop.grades().map(({ source, target, verdict, reason }) => [source, target, verdict, reason]);
    expect(grades).toContainEqual(['triage', 'billing', 'passed', null]);
    expect(grades).toContainEqual(['triage', 'expert', 'insufficient_evidence', 'no_contract']);
    expect(shop.grades().flatMap(({ findings }) => findings.map(({ id }) => id))).toEqual(['undeclared_route']);
  });

  test('a handoff inside an asTool run is a further hop of the task', async () => {
    const expert = agent('expert', { handoffs: [agent('second')] });
    const ask = expert.asTool({ toolName: 'ask_expert', toolDescription: 'x' });
    const triage = agent('triage', { tools: [ask], handoffs: [handoff(agent('billing'), invoice)] });
    const inner = [calls('transfer_to_second', 'n1')];
    const model = scripted([[calls2('ask_expert', { input: 'why' }, 't1')], inner, done, [toBilling()], done]);
    await new Runner({ model, tracingDisabled: true }).run(triage, 'hi', { context: { customer_id: 'c' } });
    const outer = attribute('handoff billing', 'seamtrace.task.id');
    expect(attribute('handoff second', 'seamtrace.task.id')).toBe(outer);
    expect(attribute('handoff second', 'seamtrace.hop.path')).toEqual(['triage', 'expert', 'second']);
    expect(attribute('handoff second', 'seamtrace.hop.index')).toBe(2);
    expect(attribute('handoff billing', 'seamtrace.hop.index')).toBe(1);
    expect(shop.grades().flatMap(({ findings }) => findings.map(({ id }) => id))).not.toContain('hop_counter_reset');
  });

  test('spans of the application stand under the agent or the tool that is at work', async () => {
    const own = trace.getTracer('app');
    const seen: string[] = [];
    const note = (what: string) => {
      const active = trace.getSpan(context.active()) as { name?: string } | undefined;
      seen.push(`${what}: ${active?.name}`);
      expect(own).toBeDefined();
    };
    const slow = (name: string) =>
      tool({
        name,
        description,
        parameters,
        execute: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          note(name);
          return 'ok';
        },
      });
    const billing = { instructions: () => (note('billing'), 'x'), tools: [slow('one'), slow('two')] };
    await run(triageToBilling(billing), [[toBilling()], [calls('one', 't1'), calls('two', 't2')], done]);
    expect(seen).toEqual([
      'billing: invoke_agent billing',
      'one: execute_tool one',
      'two: execute_tool two',
      'billing: invoke_agent billing',
    ]);
    expect(trace.getSpan(context.active())).toBeUndefined();
  });

  test('no prompt, argument, message or context value is on any span', async () => {
    const pay = tool({ name: 'pay', description, parameters, execute: async () => 'RESULT-secret' });
    await run(
      triageToBilling({ tools: [pay], instructions: 'PROMPT-secret' }),
      [[toBilling({ invoice_id: 'ARGUMENT-secret' })], [calls('pay', 't1')], done],
      { context: { customer_id: 'CONTEXT-secret' } },
    );
    const said = JSON.stringify(shop.spans().map(({ attributes, events, status }) => ({ attributes, events, status })));
    expect(said).not.toMatch(/secret|done|My invoice/);
  });
});

describe('how a run ends', () => {
  test('tools that fail: thrown and answered by text, with and without SDK tracing', async () => {
    for (const tracingDisabled of [true, false]) {
      shop.reset();
      const boom = () => Promise.reject(new TypeError('not to be recorded'));
      const bad = tool({ name: 'bad', description, parameters, execute: boom });
      const own = tool({ name: 'own', description, parameters, execute: boom, errorFunction: () => 'custom' });
      const good = tool({ name: 'good', description, parameters, execute: async () => 'fine' });
      const all = [calls('bad', 't1'), calls('own', 't2'), calls('good', 't3')];
      await run(agent('billing', { tools: [bad, own, good] }), [all, done], {}, { tracingDisabled });
      const ended = shop
        .named('execute_tool')
        .map(({ name, status, attributes }) => [name.slice('execute_tool '.length), status, attributes['error.type']]);
      expect(ended).toContainEqual(['bad', { code: 2 }, 'tool_error']);
      expect(ended).toContainEqual(['own', { code: 2 }, 'tool_error']);
      expect(ended).toContainEqual(['good', { code: 0 }, undefined]);
    }
  });

  test('a tool that throws fails the run', async () => {
    const boom = () => Promise.reject(new RangeError('x'));
    const bad = tool({ name: 'bad', description, parameters, execute: boom, errorFunction: null });
    await expect(run(triageToBilling({ tools: [bad] }), [[toBilling()], [calls('bad', 't1')]])).rejects.toThrow();
    expect(shop.named('execute_tool bad')[0]).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'RangeError' },
    });
    expect(shop.named('invoke_agent billing')[0]?.status).toEqual({ code: 2 });
    expect(shop.grades()[0]).toMatchObject({ verdict: 'passed', run_outcome: 'tool_error' });
  });

  test('a model that fails', async () => {
    await expect(run(triageToBilling(), [[toBilling()]])).rejects.toThrow();
    expect(attribute('invoke_agent billing', 'error.type')).toBe('UnexpectedModelCallError');
    expect(shop.grades()[0]).toMatchObject({ verdict: 'passed', run_outcome: 'run_error' });
  });

  test('a filter that throws: the handoff is dropped, and nothing is said of its payload', async () => {
    const inputFilter = () => {
      throw new SyntaxError('x');
    };
    await expect(run(triageToBilling({}, { inputFilter }), [[toBilling()]])).rejects.toThrow(SyntaxError);
    expect(attribute('handoff billing', 'seamtrace.dispatch.outcome')).toBe('dropped');
    expect(attribute('handoff billing', 'error.type')).toBe('SyntaxError');
    expect(attribute('handoff billing', 'seamtrace.payload.incomplete_reason')).toBe('error');
    expect(shop.grades()[0]).toMatchObject({ verdict: 'insufficient_evidence', boundary: 'payload_capture' });
  });

  test('maxTurns ends the run between the handoff and the next agent', async () => {
    await expect(run(triageToBilling(), [[toBilling()], done], { maxTurns: 1 })).rejects.toThrow(/Max turns/);
    expect(attribute('handoff billing', 'seamtrace.dispatch.outcome')).toBe('dropped');
    expect(shop.named('invoke_agent billing')).toEqual([]);
    expect(shop.grades()[0]).toMatchObject({ verdict: 'insufficient_evidence', reason: 'not_dispatched' });
  });

  test('dynamic instructions that throw: taken, and not seen what arrived', async () => {
    const instructions = () => Promise.reject(new Error('no record'));
    await expect(run(triageToBilling({ instructions }), [[toBilling()]])).rejects.toThrow('no record');
    expect(shop.grades()[0]).toMatchObject({
      verdict: 'insufficient_evidence',
      boundary: 'destination_capture',
      reason: 'error',
      run_outcome: 'run_error',
    });
  });

  test('a stream: the run ends when its loop does, not when run() resolves', async () => {
    const triage = triageToBilling();
    const stream = (await run(triage, [[toBilling()], done], { stream: true })) as unknown as AsyncIterable<unknown> & {
      completed: Promise<void>;
    };
    expect(shop.named('invoke_agent billing')).toEqual([]);
    for await (const _ of stream);
    await stream.completed;
    expect(shop.grades()[0]).toMatchObject({ verdict: 'passed', run_outcome: 'ok' });
  });

  test('a stream that is cancelled, and a run that is aborted', async () => {
    const controller = new AbortController();
    const hang = tool({
      name: 'hang',
      description,
      parameters,
      execute: async () => {
        controller.abort();
        return 'late';
      },
    });
    const turns = [[toBilling()], [calls('hang', 't1')], done];
    const aborted = run(triageToBilling({ tools: [hang] }), turns, { signal: controller.signal });
    await expect(aborted).rejects.toThrow();
    expect(shop.grades()[0]).toMatchObject({ verdict: 'passed', run_outcome: 'cancelled' });

    shop.reset();
    const stream = (await run(triageToBilling({ tools: [hang] }), turns, {
      stream: true,
    })) as unknown as AsyncIterable<{ type: string; agent?: { name: string } }> & { completed: Promise<void> };
    for await (const event of stream)
      if (event.type === 'agent_updated_stream_event' && event.agent?.name === 'billing') break;
    await stream.completed.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(shop.named('invoke_agent').every((span) => span.ended)).toBe(true);
    expect(shop.grades()[0]?.verdict).not.toMatch(/loss|missing|mismatch/);
  });
});

describe('runs beside each other and after each other', () => {
  test('50 at once, streams among them, do not mix', async () => {
    const one = async (index: number) => {
      const wait = () => new Promise((resolve) => setTimeout(resolve, (index * 7) % 11));
      const check = tool({
        name: 'check',
        description,
        parameters,
        execute: async (_input, runContext) => {
          await wait();
          return String((runContext?.context as { n: number }).n);
        },
      });
      const billing = { tools: [check], instructions: async () => (await wait(), 'x') };
      const result = (await run(triageToBilling(billing), [[toBilling()], [calls('check', `t${index}`)], done], {
        context: { customer_id: 'c', n: index, [`own_${index}`]: true },
        stream: index % 3 === 0,
      })) as unknown as { completed?: Promise<void> };
      await result.completed;
    };
    await Promise.all(Array.from({ length: 50 }, (_, index) => one(index)));
    const grades = shop.grades();
    expect(grades).toHaveLength(50);
    expect(new Set(grades.map(({ task_id }) => task_id)).size).toBe(50);
    for (const grade of grades) expect(grade).toMatchObject({ verdict: 'passed', findings: [] });
    const own = shop
      .named('invoke_agent billing')
      .map((span) =>
        (span.attributes['seamtrace.destination.keys'] as string[]).filter((key) => key.startsWith('own_')),
      );
    expect(own.every((keys) => keys.length === 1)).toBe(true);
    expect(new Set(own.flat()).size).toBe(50);
    for (const span of shop.named('execute_tool check')) {
      const agentSpan = shop.spans().find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
      expect(agentSpan?.attributes['seamtrace.handoff.id']).toBe(span.attributes['seamtrace.run.handoff.id']);
    }
  });

  test('a run that waits for approval keeps its handoff when it is resumed in this process', async () => {
    const pay = tool({ name: 'pay', description, parameters, needsApproval: true, execute: async () => 'paid' });
    const runner = new Runner({ model: scripted([[toBilling()], [calls('pay', 't1')], done]), tracingDisabled: true });
    const triage = triageToBilling({ tools: [pay] });
    const first = await runner.run(triage, 'hi', { context: { customer_id: 'c' } });
    expect(first.interruptions).toHaveLength(1);
    for (const item of first.interruptions) first.state.approve(item);
    const second = await runner.run(triage, first.state);
    expect(second.finalOutput).toBe('done');
    const runs = shop.named('invoke_agent billing').map(({ attributes }) => attributes);
    expect(runs.map((said) => said['seamtrace.handoff.execution'])).toEqual([1, 2]);
    expect(runs[1]?.['seamtrace.handoff.id']).toBe(runs[0]?.['seamtrace.handoff.id']);
    expect(attribute('execute_tool pay', 'seamtrace.run.handoff.id')).toBe(runs[0]?.['seamtrace.handoff.id']);
    const agents = shop.grades().filter(({ target }) => target !== 'human');
    expect(agents).toHaveLength(1);
    expect(agents[0]).toMatchObject({ verdict: 'passed', findings: [] });
  });

  test('a run that waits at its first agent is one task with what follows it', async () => {
    const pay = tool({ name: 'pay', description, parameters, needsApproval: true, execute: async () => 'paid' });
    const model = scripted([[calls('pay', 't1')], [toBilling()], done]);
    const runner = new Runner({ model, tracingDisabled: true });
    const triage = agent('triage', { tools: [pay], handoffs: [handoff(agent('billing'), invoice)] });
    const first = await runner.run(triage, 'hi', { context: { customer_id: 'c' } });
    for (const item of first.interruptions) first.state.approve(item);
    await runner.run(triage, first.state);
    expect(new Set(shop.spans().map((span) => span.attributes['seamtrace.task.id'])).size).toBe(1);
    expect(shop.grades()).toContainEqual(expect.objectContaining({ target: 'billing', verdict: 'passed' }));
  });

  test('an agent that hides its instructions and hands on: taken, and not seen what arrived', async () => {
    class Hidden extends Agent {
      override getSystemPrompt = () => Promise.resolve('hidden');
    }
    const billing = new Hidden({ name: 'billing', handoffs: [agent('support')] });
    const triage = agent('triage', { handoffs: [handoff(billing, invoice)] });
    await run(triage, [[toBilling()], [toSupport()], done]);
    expect(shop.grades().find(({ target }) => target === 'billing')).toMatchObject({
      verdict: 'insufficient_evidence',
      boundary: 'destination_capture',
      reason: 'unsupported',
    });
  });

  test('the same conversation twice has other ids', async () => {
    await run(triageToBilling(), [[toBilling()], done]);
    await run(triageToBilling(), [[toBilling()], done]);
    expect(new Set(shop.named('handoff').map((span) => span.attributes['seamtrace.handoff.id'])).size).toBe(2);
  });
});

function calls2(name: string, args: Record<string, unknown>, callId: string) {
  return { ...calls(name, callId), arguments: JSON.stringify(args) };
}
