import type { Contracts } from '@seamtrace/contracts';
import {
  createLedger,
  type DecodedSpan,
  decodeTracesProtobuf,
  decodeTracesJson,
  type DecodeResult,
  EVERY_TRACE,
  extractEvidence,
  type FindingThresholds,
  foldName,
  packOutline,
} from '@seamtrace/core';
import { agentNamed, agentWork } from './foreign-agents.js';
import { type AnySpan, readAnySpans } from './any-span.js';
import type { CaseView, OwnSpan } from './types.js';

/** What the doctor calls a service that gives no name. */
export const UNNAMED = '(no service.name)';

/** Collects what arrives, request by request. */
export interface Gatherer {
  /** Takes the bytes of one OTLP request. What cannot be read is said in the result and costs nothing else. */
  readonly offer: (bytes: Uint8Array, format: 'json' | 'protobuf') => DecodeResult;
  readonly finish: () => CaseView;
}

interface Gathered {
  received: number;
  readonly own: OwnSpan[];
  readonly foreign: AnySpan[];
  /** Spans already counted, so that a file which holds them twice shows them once. */
  readonly seen: Set<string>;
}

/** The largest number of foreign spans kept for each service; more say nothing new. */
const MAX_FOREIGN = 10_000;

export function createGatherer(contracts: Contracts | undefined, thresholds: FindingThresholds): Gatherer {
  const ledger = createLedger({ contracts, thresholds });
  const services = new Map<string, Gathered>();
  const homes = new Map<string, string>();

  function serviceNamed(name: string | undefined): Gathered {
    const key = name ?? UNNAMED;
    const known = services.get(key);
    if (known !== undefined) return known;
    const fresh: Gathered = { received: 0, own: [], foreign: [], seen: new Set() };
    services.set(key, fresh);
    return fresh;
  }

  function takeOwn(span: DecodedSpan, droppedAttributes: number): void {
    const extracted = extractEvidence(span);
    const evidence = extracted.ok ? extracted.evidence : undefined;
    if (evidence !== undefined) ledger.add(evidence);
    for (const speaker of evidence?.speakers ?? []) homes.set(speaker, span.resource.serviceName ?? UNNAMED);
    serviceNamed(span.resource.serviceName || undefined).own.push({
      span,
      evidence,
      refused: extracted.ok ? undefined : extracted.reason,
      droppedAttributes,
    });
  }

  return {
    offer(bytes, format) {
      const decoded =
        format === 'json' ? decodeTracesJson(new TextDecoder().decode(bytes)) : decodeTracesProtobuf(bytes);
      if (!decoded.ok) return decoded;
      const dropped = new Map<string, number>();
      const ours = new Set(decoded.spans.map(keyOf));
      const fresh = new Set<string>();
      const spans = readable(() => [...readAnySpans(bytes, format)]);
      if (typeof spans === 'string') return { ok: false, message: spans };
      for (const span of spans) {
        const service = serviceNamed(span.service);
        const key = keyOf(span);
        if (service.seen.has(key)) continue;
        service.seen.add(key);
        service.received += 1;
        fresh.add(key);
        if (span.droppedAttributes > 0) dropped.set(key, span.droppedAttributes);
        if (ours.has(key) || agentWork(span) === undefined) continue;
        if (service.foreign.length < MAX_FOREIGN) service.foreign.push(span);
        const agent = agentNamed(span);
        if (agent !== undefined && !homes.has(foldName(agent))) homes.set(foldName(agent), span.service ?? UNNAMED);
      }
      for (const span of decoded.spans) if (fresh.has(keyOf(span))) takeOwn(span, dropped.get(keyOf(span)) ?? 0);
      const outline = decoded.outline === undefined ? undefined : packOutline(decoded.outline, EVERY_TRACE);
      if (outline !== undefined) ledger.addOutline(outline);
      return decoded;
    },
    finish: () => ({
      services: [...services.entries()]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, gathered]) => ({ name, ...gathered })),
      graded: ledger.grade(),
      hasContracts: contracts !== undefined,
      serviceOf: (agent) => (agent === null ? undefined : homes.get(foldName(agent))),
    }),
  };
}

function keyOf({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }): string {
  return `${traceId}${spanId}`;
}

/** What `read` gives, or what keeps it: values nested deeper than a full decoder follows. */
function readable<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return error instanceof RangeError ? 'values are nested too deep' : (error as Error).message;
  }
}
