import { type HandoffSpanModel, encodeProtobuf, handoffSpan, traceRequest } from '@seamtrace/testkit';

const required = ['customer_id', 'invoice_id'];

/**
 * Requests of one handoff each: one for every verdict, names that Prometheus has to escape, and numbers that make every
 * histogram have something in it.
 */
export function mixedTraffic(): readonly Uint8Array[] {
  const both = { sourceStage: required, payloadStage: required, destinationStage: required };
  return [
    handoff('passed', both),
    handoff('upstream', { ...both, sourceStage: ['customer_id'] }),
    handoff('packaging', { ...both, payloadStage: ['customer_id'] }),
    handoff('ingestion', { ...both, destinationStage: ['customer_id'] }),
    handoff('mismatch', { ...both, destination: 'support' }),
    handoff('undecided', { ...both, sourceStage: { keys: ['customer_id'], incomplete: 'redacted' } }),
    handoff('escaped', {
      ...both,
      route: 'a "route"\\with\nnewline',
      source: 'ünïcode',
      target: 'b',
      destination: 'b',
    }),
  ];
}

function handoff(id: string, model: Partial<HandoffSpanModel>): Uint8Array {
  const common = {
    handoffId: `promtool-${id}`,
    route: 'triage_to_billing',
    source: 'triage',
    target: 'billing',
    destination: 'billing',
    task: `task-${id}`,
    contractVersion: '1',
    requiredKeys: required,
    ...model,
  };
  const { sourceStage, payloadStage, destinationStage, ...identity } = common;
  const dispatch = handoffSpan({
    ...identity,
    role: 'dispatch',
    ...(sourceStage === undefined ? {} : { sourceStage }),
    ...(payloadStage === undefined ? {} : { payloadStage }),
    attributes: {
      'seamtrace.payload.size': 2048n,
      'seamtrace.hop.index': 1n,
      'seamtrace.hop.path': [common.source, common.target],
    },
  });
  const ended = dispatch.endUnixNano;
  const ingest = handoffSpan({
    ...identity,
    role: 'ingest',
    ...(destinationStage === undefined ? {} : { destinationStage }),
    attributes: { 'seamtrace.ingest.outcome': 'accepted' },
    span: { startUnixNano: ended + 5_000_000n, endUnixNano: ended + 20_000_000n },
  });
  const run = handoffSpan({
    ...identity,
    role: 'destination',
    ...(destinationStage === undefined ? {} : { destinationStage }),
    span: { startUnixNano: ended + 1_000_000n, endUnixNano: ended + 900_000_000n },
  });
  return encodeProtobuf(traceRequest([dispatch, ingest, run]));
}
