import type { IncomingMessage, ServerResponse } from 'node:http';

/** A body with no more left than this is read to its end, so that the connection can serve the next request. */
const SMALL_REST_BYTES = 64 * 1024;
const LINGER_MS = 2_000;

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Writes an answer, also while the body is still coming in.
 *
 * Closing at once would reset the connection and take the answer with it before the sender has read it. So the answer
 * goes out whole with `Connection: close`, and what still comes in is thrown away until the sender stops, has sent
 * another `maxRestBytes`, or two seconds have passed.
 */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: WireAnswer,
  maxRestBytes: number,
): void {
  const headers: Record<string, string> = { ...answer.headers, 'content-length': String(answer.body.length) };
  const closes = headers['connection'] === 'close';
  if (request.complete || (!closes && restIsSmall(request))) {
    response.writeHead(answer.status, headers).end(answer.body);
    request.resume();
    return;
  }
  response.writeHead(answer.status, { ...headers, connection: 'close' }).write(answer.body);
  let left = maxRestBytes;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', onData).off('end', finish).off('close', finish);
    response.end();
  };
  const onData = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) finish();
  };
  const timer = setTimeout(finish, LINGER_MS);
  timer.unref();
  request.on('data', onData).on('end', finish).on('close', finish);
  request.resume();
}

function restIsSmall(request: IncomingMessage): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return false;
  return Number(request.headers['content-length'] ?? 0) <= SMALL_REST_BYTES;
}
