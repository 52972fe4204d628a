import type { Contracts } from '@seamtrace/contracts';
import {
  EVERY_TRACE,
  type DecodeResult,
  type FindingThresholds,
  type GradedHandoff,
  createLedger,
  decodeTracesJson,
  decodeTracesProtobuf,
  extractEvidence,
  packOutline,
} from '@seamtrace/core';

/** Field 1, length-delimited. */
const RESOURCE_SPANS_TAG = 0x0a;

type DecodedRequest = Extract<DecodeResult, { readonly ok: true }>;

/** Gathers the evidence of all files and grades it at their end. */
export interface FileGrader {
  /** Takes the spans of one request; gives a line for each span whose evidence cannot be used. */
  readonly offer: (request: DecodedRequest) => readonly string[];
  /** Every attempt, sorted by handoff id in UTF-8 bytes and attempt. */
  readonly finish: () => readonly GradedHandoff[];
}

export function createFileGrader(contracts: Contracts | undefined, thresholds: FindingThresholds): FileGrader {
  const ledger = createLedger({ contracts, thresholds });
  return {
    offer({ spans, outline }) {
      const refused: string[] = [];
      for (const span of spans) {
        const extracted = extractEvidence(span);
        if (!extracted.ok) refused.push(`span ${span.spanId} is left out: ${extracted.reason}`);
        else if (extracted.evidence !== undefined) ledger.add(extracted.evidence);
      }
      const packed = outline === undefined ? undefined : packOutline(outline, EVERY_TRACE);
      if (packed !== undefined) ledger.addOutline(packed);
      return refused;
    },
    finish: () => ledger.grade(),
  };
}

/**
 * Decodes one OTLP request. Bytes that are not UTF-8 are no JSON. Protobuf has no mark of its own, and short texts pass
 * for unknown fields; bytes that hold no span and do not start with `resource_spans`, the only field of a request, are
 * none.
 */
export function decodeRequest(bytes: Uint8Array, format: 'json' | 'protobuf'): DecodeResult {
  if (format === 'protobuf') {
    const decoded = decodeTracesProtobuf(bytes);
    const isForeign = decoded.ok && decoded.received === 0 && bytes.length > 0 && bytes[0] !== RESOURCE_SPANS_TAG;
    return isForeign ? { ok: false, message: 'not one resource_spans field of a trace request is in it' } : decoded;
  }
  let text: string;
  try {
    // Takes a byte order mark away, which some editors write and JSON does not allow.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, message: 'not UTF-8' };
  }
  return decodeTracesJson(text);
}
