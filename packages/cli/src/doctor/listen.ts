import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip, createInflate } from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';
import type { DecodeResult } from '@seamtrace/core';

/** Where and how long a running application's spans are taken. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** How long to listen; `undefined` until told to stop. */
  readonly seconds: number | undefined;
  readonly until: Promise<unknown>;
  readonly offer: (bytes: Uint8Array, format: 'json' | 'protobuf') => DecodeResult;
  /** Called with the address once spans can be sent there. */
  readonly listening: (address: string) => void;
  /** A request that could not be read, in words for a person. */
  readonly refused: (reason: string) => void;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Takes OTLP over HTTP on a loopback port for as long as asked: enough for one look at an application, not the analyzer's
 * receiver, which keeps what it acknowledges. Rejects where the address cannot be had.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const server = createServer((request, response) => {
    void answer(request, options)
      .catch((error: unknown) => ({ status: 500, type: 'text/plain', body: `${(error as Error).message}\n` }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type }).end(body);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  options.listening(`http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  const ending = new AbortController();
  const time =
    options.seconds === undefined
      ? new Promise<never>(() => undefined)
      : wait(options.seconds * 1_000, undefined, { signal: ending.signal }).catch(() => undefined);
  await Promise.race([options.until, time]);
  ending.abort();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // Who is still sending has a moment to finish.
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}

async function answer(request: IncomingMessage, { offer, refused }: ListenOptions): Promise<Answer> {
  const json = request.headers['content-type']?.toLowerCase().startsWith('application/json') === true;
  const refuse = (status: number, reason: string): Answer => {
    refused(reason);
    return { status, type: 'text/plain', body: `${reason}\n` };
  };
  if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/traces') {
    request.resume();
    return refuse(404, `${request.method} ${request.url?.slice(0, 80)}: only POST /v1/traces is taken here`);
  }
  let body: Uint8Array;
  try {
    body = await readBody(inflated(request));
  } catch (error) {
    request.resume();
    return refuse(400, `a request could not be read: ${(error as Error).message}`);
  }
  let decoded: DecodeResult;
  try {
    decoded = offer(body, json ? 'json' : 'protobuf');
  } catch (error) {
    return refuse(400, `a request could not be read: ${(error as Error).message}`);
  }
  if (!decoded.ok) return refuse(400, `a request could not be read: ${decoded.message}`);
  return json
    ? { status: 200, type: 'application/json', body: '{}' }
    : { status: 200, type: 'application/x-protobuf', body: new Uint8Array() };
}

function inflated(request: IncomingMessage): Readable {
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding === 'identity') return request;
  // Other than `pipe`, it ends the reading where the sender goes away; the error is thrown to whoever reads.
  if (coding === 'gzip') return pipeline(request, createGunzip(), () => undefined);
  if (coding === 'deflate') return pipeline(request, createInflate(), () => undefined);
  throw new Error(`content-encoding ${coding.slice(0, 20)} is not taken; use gzip`);
}

async function readBody(source: Readable): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of source as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new Error(`more than ${MAX_BODY_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
