import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { DecodedSpan } from '@seamtrace/core';
import { decodeRequest } from '../grade/grader.js';

export interface Relay {
  /** Where the app sends its spans. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Stands between app and analyzer, where a collector would: passes every OTLP request on, byte for byte, and its answer
 * back, and shows the spans to `look`. So the demo can tell what crossed the wire without either side's help.
 */
export async function startRelay(target: string, look: (spans: readonly DecodedSpan[]) => void): Promise<Relay> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
    const answer = await fetch(`${target}${request.url ?? ''}`, {
      method: request.method ?? 'POST',
      headers: { 'content-type': type, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) },
      body,
    });
    const decoded = decodeRequest(
      encoding === 'gzip' ? gunzipSync(body) : body,
      /json/.test(type) ? 'json' : 'protobuf',
    );
    if (decoded.ok) look(decoded.spans);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => {
      response.writeHead(502, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
