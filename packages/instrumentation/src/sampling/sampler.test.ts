import { context, ROOT_CONTEXT, type Span, trace, TraceFlags } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeamtraceSampler } from './sampler.js';

const EVIDENCE = { 'seamtrace.handoff.id': 'h-1', 'seamtrace.handoff.role': 'dispatch' };
const RUN = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'triage' };

function record(sampler: Sampler) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('test');
  return {
    start: (name: string, attributes: object, parent?: Span) =>
      tracer.startSpan(
        name,
        { attributes: { ...attributes } },
        parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
      ),
    exported: () => exporter.getFinishedSpans().map(({ name }) => name),
  };
}

describe('SeamtraceSampler', () => {
  it('keeps evidence and nothing else of a trace that the wrapped sampler leaves out', () => {
    const { start, exported } = record(new SeamtraceSampler(new ParentBasedSampler({ root: new AlwaysOffSampler() })));
    const request = start('request', {});
    const run = start('invoke_agent triage', RUN, request);
    const dispatch = start('handoff billing', EVIDENCE, run);
    const below = start('query', {}, dispatch);
    const deeper = start('chat', {}, below);
    for (const span of [deeper, below, dispatch, run, request]) span.end();
    expect(exported()).toEqual(['handoff billing']);
    // What hands over can be read, and no exporter gets it.
    expect(run.isRecording()).toBe(false);
    expect((run as unknown as { attributes: object }).attributes).toMatchObject(RUN);
    expect(run.spanContext().traceFlags).toBe(TraceFlags.NONE);
  });

  it('keeps the mark on the way down, so that evidence below evidence is kept and other work is not', () => {
    const { start, exported } = record(new SeamtraceSampler(new ParentBasedSampler({ root: new AlwaysOffSampler() })));
    const first = start('first', EVIDENCE);
    const second = start('second', EVIDENCE, first);
    const other = start('other', {}, second);
    for (const span of [other, second, first]) span.end();
    expect(exported()).toEqual(['second', 'first']);
    expect(second.spanContext().traceState?.get('seamtrace')).toBe('kept');
  });

  it('decides as the wrapped sampler where that one samples', () => {
    const { start, exported } = record(new SeamtraceSampler(new AlwaysOnSampler()));
    const dispatch = start('handoff billing', EVIDENCE);
    dispatch.end();
    expect(exported()).toEqual(['handoff billing']);
    expect(dispatch.spanContext().traceState).toBeUndefined();
  });

  it('leaves every span without evidence to the wrapped sampler, whatever its trace id and ratio', () => {
    const ids = fc.stringMatching(/^[0-9a-f]{32}$/).filter((id) => !/^0+$/.test(id));
    fc.assert(
      fc.property(ids, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (traceId, ratio, evidence) => {
        const wrapped = new TraceIdRatioBasedSampler(ratio);
        const sampler = new SeamtraceSampler(wrapped);
        const attributes = evidence ? EVIDENCE : { 'app.kind': 'x' };
        const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, 'x', 0, attributes, []);
        const alone = wrapped.shouldSample(ROOT_CONTEXT, traceId).decision;
        expect(decision).toBe(evidence ? SamplingDecision.RECORD_AND_SAMPLED : alone);
      }),
    );
  });

  it('keeps attributes and trace state that the wrapped sampler adds, and throws what it throws', () => {
    const adding: Sampler = {
      shouldSample: () => ({ decision: SamplingDecision.NOT_RECORD, attributes: { why: 'quota' } }),
      toString: () => 'quota',
    };
    const sampler = new SeamtraceSampler(adding);
    expect(sampler.shouldSample(context.active(), '1'.repeat(32), 'x', 0, EVIDENCE, [])).toMatchObject({
      decision: SamplingDecision.RECORD_AND_SAMPLED,
      attributes: { why: 'quota' },
    });
    expect(String(sampler)).toBe('SeamtraceSampler{quota}');
    const failing: Sampler = {
      shouldSample: () => {
        throw new Error('no quota');
      },
      toString: () => 'failing',
    };
    expect(() =>
      new SeamtraceSampler(failing).shouldSample(ROOT_CONTEXT, '1'.repeat(32), 'x', 0, EVIDENCE, []),
    ).toThrow('no quota');
  });
});
