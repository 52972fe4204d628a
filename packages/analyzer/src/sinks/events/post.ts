import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { gzipSync } from 'node:zlib';
import { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';
import { JsonLogsSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';

/** What became of one attempt to send records. Texts name neither the URL nor any header. */
export type Sent =
  /** Taken, but for `rejected` records, which the endpoint will never take. */
  | { readonly kind: 'taken'; readonly rejected: number; readonly message: string }
  /** Refused for good. */
  | { readonly kind: 'refused'; readonly status: number }
  /** Not now. `retryAfterMs` is what the endpoint asked for. */
  | {
      readonly kind: 'later';
      readonly status: number | undefined;
      readonly reason: string;
      readonly retryAfterMs: number | undefined;
    };

/** Sends records once. Never rejects; an aborted attempt is `later`. */
export type Post = (records: readonly ReadableLogRecord[], signal: AbortSignal) => Promise<Sent>;

const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** More than any answer that says something; the rest of a longer one is not read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Posts OTLP logs in JSON. Headers, compression and TLS files come from the standard `OTEL_EXPORTER_OTLP_*` variables, as
 * with OpenTelemetry's own exporter; that one is not used since it tells neither status codes, nor `Retry-After`, nor what
 * an endpoint rejected of a batch that it took.
 */
export function createPost(endpoint: string, timeoutMs: number): Post {
  const options = convertLegacyHttpOptions({ url: endpoint, timeoutMillis: timeoutMs }, 'LOGS', 'v1/logs', {
    'Content-Type': 'application/json',
  });
  const url = new URL(endpoint);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;

  async function once(records: readonly ReadableLogRecord[], signal: AbortSignal): Promise<Sent> {
    const plain = JsonLogsSerializer.serializeRequest([...records]) ?? new Uint8Array();
    const zips = options.compression === 'gzip';
    const body = zips ? gzipSync(plain) : plain;
    const headers = {
      ...(await options.headers()),
      ...(zips ? { 'Content-Encoding': 'gzip' } : {}),
      'Content-Length': String(body.length),
    };
    const agent = await options.agentFactory(url.protocol);
    return new Promise((resolve) => {
      const outgoing = request(url, { method: 'POST', headers, agent, signal }, (answer) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        const settle = (): void => resolve(sentBy(answer.statusCode ?? 0, answer.headers['retry-after'], chunks));
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= MAX_ANSWER_BYTES) return void chunks.push(chunk);
          settle();
          answer.destroy();
        });
        answer.on('end', settle).on('close', settle).on('error', settle);
      });
      const timer = setTimeout(() => {
        resolve(later(`no answer within ${timeoutMs} ms`));
        outgoing.destroy();
      }, timeoutMs).unref();
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', (error) => resolve(later(reasonOf(error))));
      outgoing.end(body);
    });
  }

  return (records, signal) => once(records, signal).catch((error: unknown) => later(reasonOf(error as Error)));
}

const later = (reason: string): Sent => ({ kind: 'later', status: undefined, reason, retryAfterMs: undefined });

// Where several addresses were tried, Node's error has a code and no text.
const reasonOf = (error: NodeJS.ErrnoException): string => error.message || (error.code ?? error.name);

function sentBy(status: number, retryAfter: string | undefined, chunks: readonly Buffer[]): Sent {
  if (status >= 200 && status < 300) return { kind: 'taken', ...partialSuccessOf(Buffer.concat(chunks).toString()) };
  if (!TEMPORARY.has(status)) return { kind: 'refused', status };
  return { kind: 'later', status, reason: `status ${status}`, retryAfterMs: retryAfterOf(retryAfter) };
}

/** An answer that is no JSON says nothing of rejections: the batch was taken. */
function partialSuccessOf(body: string): { rejected: number; message: string } {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: Record<string, unknown> };
    const rejected = Number(partialSuccess?.['rejectedLogRecords'] ?? 0);
    const message = partialSuccess?.['errorMessage'];
    return {
      rejected: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0,
      message: typeof message === 'string' ? message.slice(0, 300) : '',
    };
  } catch {
    return { rejected: 0, message: '' };
  }
}

/** Seconds or a date (RFC 9110, section 10.2.3); `undefined` for neither, and for no wait at all. */
function retryAfterOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : undefined;
}
