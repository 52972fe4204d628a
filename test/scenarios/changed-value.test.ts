import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createContracts } from '@seamtrace/contracts';
import { type GradedHandoff, createLedger, decodeTracesJson, extractEvidence } from '@seamtrace/core';
import { createHandoffs, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';
import { describe, expect, it } from 'vitest';

// Key names are compared, not values: what happens to a value that changes on its way, with `integrity` and without.

interface Given {
  readonly integrity: readonly string[];
  readonly secret?: string;
}

/** One handoff whose invoice number becomes another between payload and destination. */
function changedOnTheWay({ integrity, secret }: Given): GradedHandoff {
  const contracts = createContracts({
    agents: { triage: {}, billing: {} },
    routes: {
      triage_to_billing: {
        from: 'triage',
        to: 'billing',
        versions: { '1': { required: ['customer_id', 'invoice_id'], integrity: [...integrity] } },
      },
    },
  });
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SeamtraceSpanProcessor(), new SimpleSpanProcessor(exporter)],
  });
  const handoffs = createHandoffs({ contracts, tracerProvider, ...(secret === undefined ? {} : { secret }) });
  const source = { customer_id: 'c-1', invoice_id: 'i-1' };
  const handoff = handoffs.dispatch({ from: 'triage', to: 'billing', source });
  handoffs.accept(handoff, () => handoffs.ingested({ ...source, invoice_id: 'i-2' }), { agent: 'billing' });

  const decoded = decodeTracesJson(
    new TextDecoder().decode(JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans())),
  );
  if (!decoded.ok) throw new Error(decoded.message);
  const ledger = createLedger({ contracts });
  for (const span of decoded.spans) {
    const extracted = extractEvidence(span);
    if (extracted.ok && extracted.evidence !== undefined) ledger.add(extracted.evidence);
  }
  const [graded, ...more] = ledger.grade();
  if (graded === undefined || more.length > 0) throw new Error('expected one handoff');
  return graded;
}

describe('a value that changed on its way', () => {
  it('is a finding where the contract lists its key under integrity', () => {
    const graded = changedOnTheWay({ integrity: ['customer_id', 'invoice_id'], secret: 'a deployment secret' });
    expect(graded.verdict).toBe('passed');
    expect(graded.findings).toEqual([{ id: 'value_changed', detail: { keys: ['invoice_id'] } }]);
  });

  it('passes unseen without integrity', () => {
    const graded = changedOnTheWay({ integrity: [], secret: 'a deployment secret' });
    expect([graded.verdict, graded.findings]).toEqual(['passed', []]);
  });

  it('passes unseen without a secret, since a plain digest of a short value would tell it', () => {
    const graded = changedOnTheWay({ integrity: ['invoice_id'] });
    expect([graded.verdict, graded.findings]).toEqual(['passed', []]);
  });
});
