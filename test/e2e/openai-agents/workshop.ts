import * as sdk from '@openai/agents-core';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type Contracts, createContracts } from '@seamtrace/contracts';
import { createLedger, decodeTracesJson, extractEvidence, type GradedHandoff } from '@seamtrace/core';
import { OpenAIAgentsInstrumentation, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';

/** The real SDK in this process, instrumented, with its spans in memory. */
export interface Workshop {
  readonly spans: () => readonly ReadableSpan[];
  /** Spans whose name starts so, in order of their end. */
  readonly named: (prefix: string) => readonly ReadableSpan[];
  /** What the analyzer makes of the spans. */
  readonly grades: () => readonly GradedHandoff[];
  readonly reset: () => void;
  readonly close: () => void;
  /** After `close`: instrumented again. */
  readonly open: () => void;
}

export function openWorkshop(contracts: Contracts, secret = 'a secret of the tests'): Workshop {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SeamtraceSpanProcessor(), new SimpleSpanProcessor(exporter)];
  const instrumentation = new OpenAIAgentsInstrumentation({ contracts, secret });
  instrumentation.setTracerProvider(new BasicTracerProvider({ spanProcessors }));
  instrumentation.instrument(sdk);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  return {
    spans,
    named: (prefix) => spans().filter((span) => span.name.startsWith(prefix)),
    grades: () => gradeSpans(spans(), contracts),
    reset: () => exporter.reset(),
    close: () => {
      instrumentation.disable();
      context.disable();
    },
    open: () => {
      instrumentation.enable();
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    },
  };
}

function gradeSpans(spans: readonly ReadableSpan[], contracts: Contracts): readonly GradedHandoff[] {
  const bytes = JsonTraceSerializer.serializeRequest([...spans]);
  const decoded = decodeTracesJson(new TextDecoder().decode(bytes));
  if (!decoded.ok) throw new Error(decoded.message);
  const ledger = createLedger({ contracts });
  for (const span of decoded.spans) {
    const extracted = extractEvidence(span);
    if (!extracted.ok) throw new Error(extracted.reason);
    if (extracted.evidence !== undefined) ledger.add(extracted.evidence);
  }
  return ledger.grade();
}

/** Contracts of the tests: two desks behind a triage, each with what it needs. */
export function deskContracts(route: Record<string, unknown> = {}): Contracts {
  return createContracts({
    version: 1,
    agents: { triage: {}, billing: { aliases: ['Billing Desk'] }, support: {} },
    routes: {
      triage_to_billing: {
        from: 'triage',
        to: 'billing',
        version: '1',
        required: ['customer_id', 'invoice_id'],
        hop_limit: 4,
        ...route,
      },
      triage_to_support: { from: 'triage', to: 'support', version: '1', required: ['customer_id'] },
      support_to_billing: {
        from: 'support',
        to: 'billing',
        version: '1',
        required: ['customer_id', 'invoice_id'],
      },
      billing_to_support: {
        from: 'billing',
        to: 'support',
        version: '1',
        required: ['customer_id', 'account.entitlement'],
        state_ref: 'account.id',
      },
    },
  } as never);
}
