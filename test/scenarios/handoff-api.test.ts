import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { context, propagation, trace } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { createHandoffs, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// What agents do through the handoff API, graded by the command line from their exported spans alone.

const contracts = `version: 1
agents: { triage: {}, billing: { aliases: [billing_agent] }, support: {} }
routes:
  triage_to_billing:
    from: triage
    to: billing
    version: "2"
    required: [customer_id, invoice.id]
    permitted: [customer_id, invoice.id, locale]
`;
const bin = fileURLToPath(new URL('../../packages/cli/bin/seamtrace.js', import.meta.url));
const whole = { customer_id: 'c', invoice: { id: 'i' }, locale: 'en', note: 'n' };
type State = Record<string, unknown>;

const exporter = new InMemorySpanExporter();
let folder: string;
let provider: NodeTracerProvider;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-scenario-'));
  writeFileSync(path.join(folder, 'contracts.yaml'), contracts);
  provider = new NodeTracerProvider({
    spanProcessors: [new SeamtraceSpanProcessor(), new SimpleSpanProcessor(exporter)],
  });
  provider.register();
});
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
  rmSync(folder, { recursive: true });
});

function agentRun<T>(name: string, fn: () => T): T {
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
  return trace.getTracer('framework').startActiveSpan(`invoke_agent ${name}`, { attributes }, (span) => {
    try {
      return fn();
    } finally {
      span.end();
    }
  });
}

interface Graded {
  readonly handoff_id: string;
  readonly verdict: string;
  readonly boundary: string;
  readonly missing_keys: readonly string[];
  readonly reason: string | null;
}

/** Grades all that was exported since the last time. */
function grade(): ReadonlyMap<string, Graded> {
  const request = JsonTraceSerializer.serializeRequest([...exporter.getFinishedSpans()]);
  exporter.reset();
  const file = path.join(folder, 'spans.json');
  writeFileSync(file, request ?? '');
  const args = [bin, 'grade', file, '--format', 'json', '--contracts', path.join(folder, 'contracts.yaml')];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length === 0) throw new Error(`nothing was graded: ${stderr}`);
  return new Map(lines.map((line) => JSON.parse(line) as Graded).map((each) => [each.handoff_id, each]));
}

interface Step {
  readonly source?: State;
  readonly payload?: State | string;
  readonly destination?: unknown;
  readonly takenBy?: string;
  readonly carrier?: boolean;
}

/** One handoff from triage to billing, with what went wrong in it. Returns its id. */
function handOver({ source = whole, payload, destination, takenBy = 'billing', carrier = false }: Step): string {
  const handoffs = createHandoffs({ contracts });
  const headers: Record<string, string> = {};
  const handoff = agentRun('triage', () => {
    const made = handoffs.dispatch<unknown>({ to: 'billing', source, ...(payload === undefined ? {} : { payload }) });
    if (carrier) handoffs.inject(made, headers);
    return made;
  });
  const arrived = carrier ? handoffs.extract(headers) : handoff;
  handoffs.accept(arrived, () =>
    agentRun(takenBy, () => handoffs.ingested(destination === undefined ? handoff.payload : destination)),
  );
  return handoff.id;
}

describe('the handoff API, graded', () => {
  it.each([false, true])('shows each failure at its own boundary (through a carrier: %s)', (carrier) => {
    const ids = {
      passed: handOver({ carrier }),
      alias: handOver({ carrier, takenBy: 'billing_agent' }),
      upstream: handOver({ carrier, source: { customer_id: 'c' } }),
      packaging: handOver({ carrier, payload: { customer_id: 'c', invoice: {} } }),
      ingestion: handOver({ carrier, destination: { customer_id: 'c' } }),
      misrouted: handOver({ carrier, takenBy: 'support' }),
      text: handOver({ carrier, payload: 'the customer asks about an invoice' }),
      proxied: handOver({ carrier, destination: new Proxy({}, {}) }),
    };
    const graded = grade();
    const verdicts = Object.entries(ids).map(([name, id]) => {
      const each = graded.get(id);
      return [name, each?.verdict, each?.boundary, each?.missing_keys, each?.reason];
    });
    expect(verdicts).toEqual([
      ['passed', 'passed', 'none', [], null],
      ['alias', 'passed', 'none', [], null],
      ['upstream', 'upstream_context_missing', 'before_handoff', ['invoice.id'], null],
      ['packaging', 'packaging_loss', 'source_to_payload', ['invoice.id'], null],
      ['ingestion', 'ingestion_loss', 'payload_to_destination', ['invoice.id'], null],
      ['misrouted', 'routing_mismatch', 'route', [], null],
      ['text', 'insufficient_evidence', 'payload_capture', [], 'unsupported'],
      ['proxied', 'insufficient_evidence', 'destination_capture', [], 'unsupported'],
    ]);
  });

  it('grades what the producer did alone where the consumer says nothing', () => {
    const handoffs = createHandoffs({ contracts });
    const id = agentRun('triage', () => handoffs.dispatch({ to: 'billing', source: whole, payload: {} }).id);
    expect(grade().get(id)).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['customer_id', 'invoice.id'] });
  });

  it('grades a prevented dispatch by its source', () => {
    const handoffs = createHandoffs({ contracts, enforce: 'enforce' });
    expect(() => agentRun('triage', () => handoffs.dispatch({ to: 'billing', source: {}, id: 'prevented-1' }))).toThrow(
      expect.objectContaining({ code: 'SEAMTRACE_SOURCE_INCOMPLETE' }),
    );
    expect(grade().get('prevented-1')).toMatchObject({ verdict: 'upstream_context_missing' });
  });

  it('reads a rejected ingest as the loss that it found', () => {
    const handoffs = createHandoffs({ contracts, enforce: { consumer: 'enforce' } });
    const handoff = agentRun('triage', () => handoffs.dispatch({ to: 'billing', source: whole }));
    const take = () => handoffs.accept(handoff, () => agentRun('billing', () => handoffs.ingested({ customer_id: 1 })));
    expect(take).toThrow(expect.objectContaining({ code: 'SEAMTRACE_INGEST_REJECTED' }));
    expect(grade().get(handoff.id)).toMatchObject({ verdict: 'ingestion_loss', missing_keys: ['invoice.id'] });
  });

  it('passes a join: every handoff is graded by its own ingest', () => {
    const handoffs = createHandoffs({ contracts });
    const [one, two] = agentRun('triage', () => [1, 2].map(() => handoffs.dispatch({ to: 'billing', source: whole })));
    handoffs.accept(one, () => handoffs.accept(two, () => agentRun('billing', () => handoffs.ingested(whole))));
    const graded = grade();
    expect([one?.id, two?.id].map((id) => graded.get(id ?? '')?.verdict)).toEqual(['passed', 'passed']);
  });

  it('passes a redelivery of which one execution was seen whole', () => {
    const handoffs = createHandoffs({ contracts });
    const headers = {};
    const { id } = agentRun('triage', () => {
      const made = handoffs.dispatch({ to: 'billing', source: whole });
      handoffs.inject(made, headers);
      return made;
    });
    handoffs.accept(handoffs.extract(headers), () => agentRun('billing', () => undefined));
    handoffs.accept(handoffs.extract(headers), () => agentRun('billing', () => handoffs.ingested(whole)));
    expect(grade().get(id)).toMatchObject({ verdict: 'passed' });
  });
});
