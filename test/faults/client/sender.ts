import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { encodeJson, encodeProtobuf, otlpTypes, traceRequest } from '@seamtrace/testkit';
import type { Piece } from '../judge/piece.js';
import type { Random } from '../random.js';
import type { ClientLog } from './log.js';
import { spanOf } from './span.js';

/** How one transport answered a batch. */
export type Answer =
  | { readonly kind: 'acknowledged'; readonly rejected: number; readonly message: string }
  | { readonly kind: 'later'; readonly afterMs: number; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }
  /** No answer came: the batch may have been kept or not. */
  | { readonly kind: 'lost'; readonly why: string };

export type Transport = (pieces: readonly Piece[], random: Random) => Promise<Answer>;

export interface SenderParts {
  readonly log: ClientLog;
  readonly random: Random;
  /** The transport to the process that lives now; waits while there is none. */
  readonly transport: () => Promise<Transport>;
  /** Told of an answer that no valid batch earns. */
  readonly complain: (what: string) => void;
  /** Share of batches that are given up on the first lost answer, as a sender that dies with the service would. */
  readonly givesUp: number;
  /** Logs every so many-th batch as acknowledged without sending it. Only to prove that the comparison notices. */
  readonly lieEvery?: number | undefined;
}

export interface Sender {
  /** Resolves when the batch is acknowledged or given up. */
  send(pieces: readonly Piece[]): Promise<void>;
  counts(): { readonly batches: number; readonly retries: number; readonly lost: number; readonly later: number };
}

/** No sender waits longer than this, so that a run of many kills stays short. */
const LONGEST_WAIT_MS = 700;
const FIRST_WAIT_MS = 40;

/** Sends like a collector with retry: again after a lost answer or a request to come later, until it is acknowledged. */
export function createSender({ log, random, transport, complain, givesUp, lieEvery }: SenderParts): Sender {
  const counts = { batches: 0, retries: 0, lost: 0, later: 0 };
  return {
    counts: () => counts,
    async send(pieces) {
      counts.batches += 1;
      if (lieEvery !== undefined && counts.batches % lieEvery === 0) return log.acknowledged(pieces);
      const patient = !random.chance(givesUp);
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
        const answer = await (await transport())(pieces, random);
        if (answer.kind === 'acknowledged') {
          if (answer.rejected > 0) complain(`${answer.rejected} spans were rejected: ${answer.message}`);
          return log.acknowledged(pieces);
        }
        if (answer.kind === 'refused') {
          complain(answer.why);
          return log.unsure(pieces);
        }
        counts[answer.kind] += 1;
        if (answer.kind === 'lost' && !patient) return log.unsure(pieces);
        counts.retries += 1;
        await sleep(answer.kind === 'later' ? Math.min(answer.afterMs, LONGEST_WAIT_MS) : waitMs);
      }
    },
  };
}

/** OTLP over HTTP: either encoding, compressed or not. */
export function httpTransport(otlp: string): Transport {
  return async (pieces, random) => {
    const request = traceRequest(pieces.map(spanOf), `process-${random.below(5)}`);
    const json = random.chance(0.3);
    const plain = json ? Buffer.from(encodeJson(request)) : Buffer.from(encodeProtobuf(request));
    const gzip = random.chance(0.4);
    try {
      const response = await fetch(`${otlp}/v1/traces`, {
        method: 'POST',
        headers: {
          'content-type': json ? 'application/json' : 'application/x-protobuf',
          ...(gzip ? { 'content-encoding': 'gzip' } : {}),
        },
        body: gzip ? gzipSync(plain) : plain,
        signal: AbortSignal.timeout(30_000),
      });
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status === 200) return acknowledged(body, json);
      const why = `${response.status} ${body.toString('latin1').slice(0, 300)}`;
      if (response.status !== 429 && response.status !== 503) return { kind: 'refused', why };
      const after = Number(response.headers.get('retry-after'));
      return after > 0
        ? { kind: 'later', afterMs: after * 1000, why }
        : { kind: 'refused', why: `${why} came without Retry-After` };
    } catch (error) {
      return { kind: 'lost', why: String((error as Error).cause ?? error) };
    }
  };
}

function acknowledged(body: Buffer, json: boolean): Answer {
  const type = otlpTypes.traceResponse;
  const plain = json ? (JSON.parse(body.toString()) as object) : type.toObject(type.decode(body), { longs: Number });
  const { partialSuccess = {} } = plain as {
    partialSuccess?: { rejectedSpans?: number | string; errorMessage?: string };
  };
  const { rejectedSpans = 0, errorMessage = '' } = partialSuccess;
  return { kind: 'acknowledged', rejected: Number(rejectedSpans), message: errorMessage };
}
