import { Client, type ServiceError, credentials, status } from '@grpc/grpc-js';
import { encodeProtobuf, otlpTypes, traceRequest } from '@seamtrace/testkit';
import type { Transport } from './sender.js';
import { spanOf } from './span.js';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const LONGEST_CALL_MS = 30_000;
/** Carries RetryInfo, which only the service itself writes: a lost connection has none. */
const DETAILS = 'grpc-status-details-bin';

export interface RawGrpc {
  /** Sends bytes as they are. Rejects with a `ServiceError` for every status but OK. */
  call(body: Buffer): Promise<Buffer>;
  close(): void;
}

export function rawGrpc(address: string): RawGrpc {
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.max_send_message_length': -1,
    // Whoever sends decides about retries, and must see each answer.
    'grpc.enable_retries': 0,
  });
  const same = (bytes: Buffer): Buffer => bytes;
  return {
    call: (body) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(EXPORT, same, same, body, { deadline: Date.now() + LONGEST_CALL_MS }, (error, reply) =>
          error === null ? resolve(reply ?? Buffer.alloc(0)) : reject(error as Error),
        );
      }),
    close: () => client.close(),
  };
}

/** OTLP over gRPC. */
export function grpcTransport({ call }: RawGrpc): Transport {
  return async (pieces, random) => {
    const request = traceRequest(pieces.map(spanOf), `process-${random.below(5)}`);
    try {
      const reply = otlpTypes.traceResponse.decode(await call(Buffer.from(encodeProtobuf(request))));
      const { partialSuccess = {} } = otlpTypes.traceResponse.toObject(reply, { longs: Number }) as {
        partialSuccess?: { rejectedSpans?: number; errorMessage?: string };
      };
      const { rejectedSpans: rejected = 0, errorMessage: message = '' } = partialSuccess;
      return { kind: 'acknowledged', rejected, message };
    } catch (error) {
      const { code, details, metadata } = error as ServiceError;
      const why = `gRPC ${code} ${details}`;
      if (code !== status.UNAVAILABLE) {
        const lost = code === status.CANCELLED || code === status.DEADLINE_EXCEEDED || /reset|closed/i.test(details);
        return { kind: lost ? 'lost' : 'refused', why };
      }
      return metadata.get(DETAILS).length > 0 ? { kind: 'later', afterMs: 500, why } : { kind: 'lost', why };
    }
  };
}
