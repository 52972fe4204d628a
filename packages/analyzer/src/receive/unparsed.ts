import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CONTENT_TYPES, encodeAnswer, refusalHeaders } from './answer.js';
import type { Refusal } from './answer.js';
import * as refuse from './refusals.js';

/** An error of Node's HTTP parser, or of the socket under it. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The parser's own words. */
  readonly reason?: string;
  readonly rawPacket?: Uint8Array;
}

const LINGER_MS = 1_000;
const TLS_HANDSHAKE = 0x16;

/** How to refuse what the parser could not read; `undefined` where nobody is left to hear it, or nobody said anything. */
export function refuseUnparsed(error: ParserError, socket: Socket): Refusal | undefined {
  const { code = '', reason = error.message, rawPacket } = error;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return socket.bytesRead === 0 ? undefined : refuse.headTimedOut();
  if (code === 'HPE_HEADER_OVERFLOW') return refuse.headersTooLarge();
  // The sender ended in the middle of its request.
  if (!code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE') return undefined;
  if (rawPacket?.[0] === TLS_HANDSHAKE) return refuse.malformed(`${reason}; this port does not speak TLS`);
  const preface = Buffer.from(rawPacket ?? []).toString('latin1', 0, 14);
  return refuse.malformed(preface === 'PRI * HTTP/2.0' ? `${reason}; this port does not speak HTTP/2 or gRPC` : reason);
}

/**
 * Answers where there is no response object, and ends the connection. What still comes in is thrown away for a moment:
 * closing at once would take the answer with it.
 */
export function writeRaw(socket: Duplex, refusal: Refusal): void {
  const body = Buffer.from(encodeAnswer(refusal, 'json'));
  const headers = {
    ...refusalHeaders(refusal),
    'content-type': CONTENT_TYPES.json,
    'content-length': String(body.length),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const line = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n`;
  socket.end(Buffer.concat([Buffer.from(`${line}${head.join('')}\r\n`), body]));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
