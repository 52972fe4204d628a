import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';
import type { Type } from 'protobufjs';

/** The answer of a sink to one request; by default 200 with an empty success. */
export interface SinkAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request that reached a sink. */
export interface SinkRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The message in protobuf's plain form: lowerCamelCase members, 64-bit integers as strings. */
  readonly message: PlainMessage;
}

export type PlainMessage = { readonly [member: string]: unknown };

export interface SinkOptions {
  /** Decides the answer to the n-th request, counted from 1. Only requests answered with 2xx are recorded as taken. */
  readonly answer?: (count: number, request: SinkRequest) => SinkAnswer;
}

/** An HTTP server on a free loopback port that takes OTLP export requests of one type, in protobuf and JSON. */
export interface OtlpSink {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Every request, refused ones included, in order of arrival. */
  readonly requests: readonly SinkRequest[];
  /** Resolves when `done` holds; it is asked at once and after every request. Bound it with the test's own timeout. */
  waitUntil(done: () => boolean): Promise<void>;
  /** Ends the server and its connections. Safe to call twice. */
  close(): Promise<void>;
}

export async function startOtlpSink(
  path: string,
  type: Type,
  taken: (message: PlainMessage) => void,
  { answer = () => ({ status: 200 }) }: SinkOptions = {},
): Promise<OtlpSink> {
  const requests: SinkRequest[] = [];
  const waiting = new Set<() => void>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = inflate(await readBody(request), request.headers['content-encoding']);
    const encoding = request.headers['content-type']?.startsWith('application/json') ? 'json' : 'protobuf';
    const contentType = encoding === 'json' ? 'application/json' : 'application/x-protobuf';
    if (request.method !== 'POST' || request.url !== path) return void response.writeHead(404).end();
    const message = encoding === 'json' ? (JSON.parse(body.toString()) as PlainMessage) : decode(type, body);
    const record = { path: request.url, headers: request.headers, message };
    requests.push(record);
    const { status, headers } = answer(requests.length, record);
    if (status >= 200 && status < 300) taken(message);
    response.writeHead(status, { 'content-type': contentType, ...headers });
    response.end(encoding === 'json' ? '{}' : '');
    for (const check of waiting) check();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    waitUntil: (done) =>
      new Promise((resolve) => {
        const check = () => {
          if (!done()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function inflate(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body);
  return encoding === 'deflate' ? inflateSync(body) : body;
}

function decode(type: Type, body: Buffer): PlainMessage {
  return type.toObject(type.decode(body), { longs: String }) as PlainMessage;
}
