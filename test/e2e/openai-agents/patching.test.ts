import * as sdk from '@openai/agents-core';
import { handoff } from '@openai/agents-core';
import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import {
  createHandoffs,
  OpenAIAgentsInstrumentation,
  readCounters,
  SeamtraceSpanProcessor,
} from '@seamtrace/instrumentation';
import { afterEach, describe, expect, test } from 'vitest';
import { agent, done, invoice, run, toBilling, toSupport, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

const prototypes = [sdk.Runner, sdk.Agent, sdk.RunState, sdk.Span, sdk.NoopSpan].map(
  ({ prototype }) => prototype as object,
);
const shape = () => prototypes.map((prototype) => Object.getOwnPropertyDescriptors(prototype));

const opened: OpenAIAgentsInstrumentation[] = [];
afterEach(() => opened.splice(0).forEach((each) => each.disable()));

function instrument(): { instrumentation: OpenAIAgentsInstrumentation; names: () => string[] } {
  const exporter = new InMemorySpanExporter();
  const instrumentation = new OpenAIAgentsInstrumentation();
  const spanProcessors = [new SeamtraceSpanProcessor(), new SimpleSpanProcessor(exporter)];
  instrumentation.setTracerProvider(new BasicTracerProvider({ spanProcessors }));
  instrumentation.instrument(sdk);
  opened.push(instrumentation);
  return { instrumentation, names: () => exporter.getFinishedSpans().map(({ name }) => name) };
}

describe('patching', () => {
  test('leaves the prototypes exactly as they were, and can begin again', async () => {
    const before = shape();
    const { instrumentation, names } = instrument();
    expect(shape()).not.toEqual(before);
    instrumentation.disable();
    expect(shape()).toEqual(before);
    await run(triageToBilling(), [[toBilling()], done]);
    expect(names()).toEqual([]);
    instrumentation.enable();
    await run(triageToBilling(), [[toBilling()], done]);
    expect(names()).toHaveLength(3);
  });

  test('keeps name, length and enumerability of what it wraps', () => {
    const facts = () =>
      [
        [sdk.Runner.prototype, 'run'],
        [sdk.Runner.prototype, 'emit'],
        [sdk.Agent.prototype, 'getEnabledHandoffs'],
        [sdk.Agent.prototype, 'getSystemPrompt'],
      ].map(([prototype, name]) => {
        const method = (prototype as unknown as Record<string, { name: string; length: number }>)[name as string];
        return [method?.name, method?.length, Object.keys(prototype as object)];
      });
    const before = facts();
    instrument();
    expect(facts()).toEqual(before);
  });

  test('a copy is patched once, whoever asks and how often', async () => {
    const first = instrument();
    const second = instrument();
    first.instrumentation.instrument({ ...sdk });
    await run(triageToBilling(), [[toBilling()], done]);
    expect(first.names()).toHaveLength(3);
    expect(second.names()).toEqual([]);
  });

  test('what is no copy of the SDK is left alone', () => {
    const { instrumentation } = instrument();
    for (const nothing of [undefined, null, {}, { Runner: 1 }, 'x'])
      expect(() => instrumentation.instrument(nothing)).not.toThrow();
  });

  test('the handoffs of the application are not changed', async () => {
    instrument();
    const offered = Object.freeze(handoff(agent('billing'), invoice));
    await run(agent('triage', { handoffs: [offered] }), [[toBilling()], done]);
    expect(offered.inputFilter).toBeUndefined();
    expect(Object.isFrozen(offered)).toBe(true);
  });
});

describe('beside the handoff API', () => {
  test('a run inside accept() continues the task, and its first agent is the destination', async () => {
    const contracts = deskContracts();
    const shop = openWorkshop(contracts);
    try {
      const provider = new BasicTracerProvider({ spanProcessors: [new SeamtraceSpanProcessor()] });
      const handoffs = createHandoffs({ contracts, tracerProvider: provider });
      const source = { customer_id: 'c', invoice_id: 'i' };
      const sent = handoffs.dispatch({ to: 'billing', from: 'triage', source } as never);
      await handoffs.accept(sent, async () => {
        handoffs.ingested(sent.payload);
        await run(agent('billing', { handoffs: [agent('support')] }), [[toSupport()], done]);
      });
      const [billing] = shop.named('invoke_agent billing');
      expect(billing?.attributes['seamtrace.handoff.id']).toBe(sent.id);
      const [onward] = shop.named('handoff support');
      expect(onward?.attributes['seamtrace.task.id']).toBe(billing?.attributes['seamtrace.task.id']);
      expect(onward?.attributes['seamtrace.hop.index']).toBe(2);
      expect(onward?.attributes['seamtrace.hop.path']).toEqual(['triage', 'billing', 'support']);
      const [support] = shop.named('invoke_agent support');
      expect(support?.attributes['seamtrace.handoff.id']).toBe(onward?.attributes['seamtrace.handoff.id']);
      expect(readCounters().internal_error).toBe(0);
    } finally {
      shop.close();
    }
  });

  test('nothing of ours is left active after a run', async () => {
    const shop = openWorkshop(deskContracts());
    await run(triageToBilling(), [[toBilling()], done]);
    expect(trace.getSpan(context.active())).toBeUndefined();
    expect(readCounters().internal_error).toBe(0);
    shop.close();
  });
});
