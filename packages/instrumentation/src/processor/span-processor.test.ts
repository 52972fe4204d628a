import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { createContracts, HandoffContractError } from '@seamtrace/contracts';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentRun,
  type HarnessOptions,
  type OtelHarness,
  spanAround,
  startOtel,
  toolCall,
} from '../../test/otel-harness.js';
import { createHandoffs } from '../create-handoffs.js';
import { readCounters } from '../runtime/report.js';
import { runtime } from '../runtime/state.js';
import { SeamtraceSpanProcessor } from './span-processor.js';

const contracts = createContracts({
  routes: { triage_to_billing: { from: 'triage', to: 'billing', version: '2', required: ['customer_id'] } },
});
const source = { customer_id: 'c-1' };

let otel: OtelHarness | undefined;
afterEach(() => otel?.stop());
function start(options?: HarnessOptions): OtelHarness {
  otel = startOtel(options);
  return otel;
}

function handOver(consumer: () => unknown): void {
  const handoffs = createHandoffs({ contracts });
  agentRun('triage', () => handoffs.accept(handoffs.dispatch({ to: 'billing', source }), consumer));
}
const seamtraceKeys = (attributes: object) => Object.keys(attributes).filter((key) => key.startsWith('seamtrace.'));

describe('spans that name themselves late', () => {
  it('are recognised while they can still be written, the outermost run first', () => {
    const { span } = start();
    const late = (name: string, inside: () => void = () => undefined) =>
      spanAround(`run ${name}`, {}, (run) => {
        run.setAttributes({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name });
        inside();
        run.updateName(`invoke_agent ${name}`);
      });
    handOver(() => late('billing', () => late('helper')));
    expect(span('invoke_agent billing').attributes).toMatchObject({
      'seamtrace.handoff.role': 'destination',
      'seamtrace.destination.complete': false,
    });
    expect(seamtraceKeys(span('invoke_agent helper').attributes)).toEqual([]);
  });

  it('are recognised as tool calls too', () => {
    const { span } = start();
    handOver(() =>
      agentRun('billing', () =>
        spanAround('tool', {}, (tool) => void tool.setAttribute('gen_ai.operation.name', 'execute_tool')),
      ),
    );
    const id = span('handoff billing').attributes['seamtrace.handoff.id'];
    expect(span('tool').attributes['seamtrace.run.handoff.id']).toBe(id);
  });

  it('are found as the producer by a dispatch inside', () => {
    const { span } = start();
    const handoffs = createHandoffs({ contracts });
    spanAround('run', {}, (run) => {
      run.setAttributes({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'triage' });
      spanAround('step', {}, () => toolCall('transfer', () => handoffs.dispatch({ to: 'billing', source })));
    });
    const dispatch = span('handoff billing');
    expect(dispatch.attributes['seamtrace.handoff.route']).toBe('triage_to_billing');
    expect(dispatch.parentSpanContext?.spanId).toBe(span('run').spanContext().spanId);
  });
});

describe('what the application wrote itself', () => {
  it('stays: a span with another handoff id is left alone', () => {
    const { span } = start();
    const before = readCounters().span_conflict;
    const mine = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'billing',
      'seamtrace.handoff.id': 'mine',
    };
    handOver(() => spanAround('mine', mine, () => undefined));
    expect(span('mine').attributes).toEqual(mine);
    expect(readCounters().span_conflict).toBe(before + 1);
  });

  it('stays: a stage that it stated in part is not completed by ours', () => {
    const { span } = start();
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () =>
      handoffs.accept(handoffs.dispatch({ to: 'billing', source }), () =>
        agentRun('billing', (run) => {
          run.setAttribute('seamtrace.destination.keys', ['theirs']);
          run.setAttribute('seamtrace.hop.limit', 99);
          handoffs.ingested(source);
        }),
      ),
    );
    const { attributes } = span('invoke_agent billing');
    expect(attributes['seamtrace.destination.keys']).toEqual(['theirs']);
    expect(attributes['seamtrace.hop.limit']).toBe(99);
    expect(attributes).not.toHaveProperty('seamtrace.destination.complete');
    expect(attributes['seamtrace.payload.complete']).toBe(true);
  });

  it('gives the tool calls of a run that was stamped by hand their owner', () => {
    const { span } = start();
    const mine = {
      'gen_ai.operation.name': 'invoke_agent',
      'seamtrace.handoff.id': 'mine',
      'seamtrace.task.id': 'T',
    };
    spanAround('mine', mine, () => toolCall('lookup', () => undefined));
    expect(span('mine').attributes).toEqual(mine);
    expect(span('execute_tool lookup').attributes).toMatchObject({
      'seamtrace.run.handoff.id': 'mine',
      'seamtrace.task.id': 'T',
    });
  });
});

describe('span limits', () => {
  it('that leave no room for evidence leave no claim of completeness', () => {
    const { span } = start({ spanLimits: { attributeCountLimit: 24 } });
    const handoffs = createHandoffs({ contracts });
    agentRun('triage', () =>
      handoffs.accept(handoffs.dispatch({ to: 'billing', source }), () =>
        agentRun('billing', () => handoffs.ingested(source)),
      ),
    );
    for (const name of ['handoff billing', 'invoke_agent billing']) {
      const { attributes } = span(name);
      expect(attributes['seamtrace.handoff.id']).toBeDefined();
      for (const stage of ['source', 'payload', 'destination']) {
        const listed = attributes[`seamtrace.${stage}.keys`] !== undefined;
        const counted = attributes[`seamtrace.${stage}.keys_digest`] !== undefined;
        if (!(listed && counted)) expect(attributes[`seamtrace.${stage}.complete`]).not.toBe(true);
      }
    }
    expect(span('invoke_agent billing').attributes['seamtrace.destination.complete']).not.toBe(true);
  });

  it('that shorten names make the stage incomplete, with the reason', () => {
    const { span } = start({ spanLimits: { attributeValueLengthLimit: 40 } });
    const long = `customer_name_that_is_longer_than_the_limit`;
    const handoffs = createHandoffs({ contracts: createContracts({ routes: {} }) });
    handoffs.dispatch({ to: 'billing', source: { [long]: 1 }, payload: { short: 1 } });
    expect(span('handoff billing').attributes).toMatchObject({
      'seamtrace.source.complete': false,
      'seamtrace.source.incomplete_reason': 'truncated',
      'seamtrace.payload.complete': true,
    });
  });

  it('are not used up before the framework has written: only identity is there at the start', () => {
    start();
    handOver(() =>
      agentRun('billing', (run) => {
        const { attributes } = run as unknown as { attributes: Record<string, unknown> };
        expect(attributes['seamtrace.handoff.id']).toBeDefined();
        expect(seamtraceKeys(attributes).filter((key) => /source\.key|payload|destination/.test(key))).toEqual([]);
      }),
    );
  });
});

describe('several processors', () => {
  it('stamp a span once', () => {
    const { spans } = start({ processors: 3 });
    handOver(() => agentRun('billing', () => toolCall('lookup', () => undefined)));
    expect(spans().map((span) => span.name)).toEqual([
      'handoff billing',
      'execute_tool lookup',
      'invoke_agent billing',
      'invoke_agent triage',
    ]);
  });
});

describe('a processor', () => {
  it('shuts down any number of times and then does nothing', async () => {
    const exporter = new InMemorySpanExporter();
    const processor = new SeamtraceSpanProcessor();
    const provider = new BasicTracerProvider({ spanProcessors: [processor, new SimpleSpanProcessor(exporter)] });
    const run = () =>
      provider
        .getTracer('t')
        .startSpan('run', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } })
        .end();
    run();
    await Promise.all([processor.forceFlush(), processor.shutdown(), processor.shutdown()]);
    await processor.forceFlush();
    run();
    const [before, after] = exporter.getFinishedSpans();
    expect(before?.attributes['seamtrace.task.id']).toEqual(expect.any(String));
    expect(seamtraceKeys(after?.attributes ?? {})).toEqual([]);
  });

  it('never throws, whatever a span is', () => {
    const processor = new SeamtraceSpanProcessor();
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('boom');
        },
      },
    );
    for (const span of [hostile, {}, Object.freeze({ attributes: null })]) {
      expect(() => processor.onStart(span as never, ROOT_CONTEXT)).not.toThrow();
      expect(() => processor.onEnding(span as never)).not.toThrow();
      expect(() => processor.onEnd(span as never)).not.toThrow();
    }
  });

  it('is not needed for dispatches and ingests, nor for the run that is active', () => {
    const { span } = start({ processor: false });
    const handoffs = createHandoffs({ contracts });
    const headers: Record<string, string> = {};
    agentRun('triage', () => handoffs.inject(handoffs.dispatch({ to: 'billing', source }), headers));
    agentRun('billing', () => handoffs.accept(handoffs.extract(headers), () => handoffs.ingested(source)));
    expect(span('handoff billing').attributes['seamtrace.handoff.source.name']).toBe('triage');
    expect(span('invoke_agent billing').attributes['seamtrace.destination.complete']).toBe(true);
    expect(span('ingest triage_to_billing').parentSpanContext?.spanId).toBe(
      span('invoke_agent billing').spanContext().spanId,
    );
  });

  it('finds the accept of a run where no context manager is registered', async () => {
    const { span } = start({ contextManager: false });
    const handoffs = createHandoffs({ contracts });
    const handoff = handoffs.dispatch({ from: 'triage', to: 'billing', source });
    await handoffs.accept(handoff, async () => {
      await Promise.resolve();
      const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'billing' };
      const run = trace.getTracer('t').startSpan('invoke_agent billing', { attributes }, ROOT_CONTEXT);
      handoffs.ingested(source);
      run.end();
    });
    expect(span('invoke_agent billing').attributes).toMatchObject({
      'seamtrace.handoff.id': handoff.id,
      'seamtrace.destination.complete': true,
    });
  });

  it('works under an SDK that does not call onEnding', () => {
    const exporter = new InMemorySpanExporter();
    const ours = new SeamtraceSpanProcessor();
    const old: SpanProcessor = {
      onStart: (span, parent) => ours.onStart(span, parent),
      onEnd: (span) => ours.onEnd(span),
      forceFlush: () => ours.forceFlush(),
      shutdown: () => ours.shutdown(),
    };
    start({ processor: false });
    trace.disable();
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [old, new SimpleSpanProcessor(exporter)] }),
    );
    const handoffs = createHandoffs({ contracts });
    handOver(() => agentRun('billing', () => handoffs.ingested(source)));
    handOver(() => agentRun('billing', () => undefined));
    const runs = exporter.getFinishedSpans().filter((span) => span.name === 'invoke_agent billing');
    expect(runs.map((span) => span.attributes['seamtrace.handoff.role'])).toEqual(['destination', 'destination']);
    expect(runs.map((span) => span.attributes['seamtrace.destination.complete'])).toEqual([true, undefined]);
    // The second run had ended before it was clear that nobody would tell; the ingest span says it.
    const ingests = exporter.getFinishedSpans().filter((span) => span.name === 'ingest triage_to_billing');
    expect(ingests.map((span) => span.attributes['seamtrace.destination.complete'])).toEqual([true, false]);
  });

  it('takes a run in a detached context for a run of its own', () => {
    const { span } = start();
    handOver(() => context.with(ROOT_CONTEXT, () => agentRun('billing', () => undefined)));
    expect(span('invoke_agent billing').attributes).not.toHaveProperty('seamtrace.handoff.id');
    expect(span('ingest triage_to_billing').attributes).toMatchObject({
      'seamtrace.destination.complete': false,
      'seamtrace.destination.incomplete_reason': 'unsupported',
    });
  });
});

it('keeps no endless line of spans, frames and runs', () => {
  start();
  const handoffs = createHandoffs({ contracts });
  const tracer = trace.getTracer('t');
  let at = ROOT_CONTEXT;
  for (let step = 0; step < 2_000; step += 1) {
    at = context.with(at, () => {
      const handoff = handoffs.dispatch({ from: 'triage', to: 'billing', source });
      return handoffs.accept(handoff, () => {
        const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'billing' };
        const span = tracer.startSpan('invoke_agent billing', { attributes });
        handoffs.ingested(source);
        span.end();
        return trace.setSpan(context.active(), span);
      });
    });
  }
  expect(reachableSpans(trace.getSpan(at))).toBeLessThan(600);
});

/** Spans that our records keep alive from one span on. */
function reachableSpans(first: unknown): number {
  const seen = new Set<unknown>();
  const queue = [first];
  let spans = 0;
  while (queue.length > 0) {
    const value = queue.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const record = runtime().spans.get(value);
    if (record !== undefined) spans += 1;
    const members = record !== undefined ? [record] : value instanceof Map ? [...value.values()] : Object.values(value);
    // A span's own members lead to the SDK, not to other spans.
    queue.push(...(members as unknown[]));
  }
  return spans;
}

it('enforces without any OpenTelemetry SDK', () => {
  const handoffs = createHandoffs({ contracts, enforce: 'enforce' });
  expect(() => handoffs.dispatch({ from: 'triage', to: 'billing', source: {} })).toThrow(HandoffContractError);
  const handoff = handoffs.dispatch({ from: 'triage', to: 'billing', source });
  expect(() => handoffs.accept(handoff, () => handoffs.ingested({}))).toThrow(HandoffContractError);
  expect(handoffs.accept(handoff, () => handoffs.ingested(source))).toBeUndefined();
});

describe('arguments of a tool call', () => {
  afterEach(() => {
    delete process.env['SEAMTRACE_SECRET'];
  });

  const digestOf = (args: string, secret?: string): unknown => {
    if (secret !== undefined) process.env['SEAMTRACE_SECRET'] = secret;
    const { span } = start();
    agentRun('triage', () =>
      spanAround('tool', { 'gen_ai.operation.name': 'execute_tool' }, (tool) => {
        tool.setAttribute('gen_ai.tool.call.arguments', args);
      }),
    );
    const { attributes } = span('tool');
    expect(attributes['gen_ai.tool.call.arguments']).toBe(args);
    delete process.env['SEAMTRACE_SECRET'];
    return attributes['seamtrace.tool.arguments.digest'];
  };

  it('get a keyed digest, the same for equal JSON', async () => {
    const first = digestOf('{"a":1,"b":[2]}', 'k');
    await otel?.stop();
    const second = digestOf('{ "b": [2], "a": 1 }', 'k');
    await otel?.stop();
    expect(first).toMatch(/^hmac-sha256:/);
    expect(second).toBe(first);
    expect(digestOf('{"a":2}', 'k')).not.toBe(first);
  });

  it.each([
    ['without a secret', '{"a":1}', undefined],
    ['where a limit may have cut them', '{"a":"long te', 'k'],
    ['where they are very long', JSON.stringify('x'.repeat(20_000)), 'k'],
  ])('get none %s', (_, args, secret) => {
    expect(digestOf(args, secret)).toBeUndefined();
  });
});
