import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { afterEach, expect, it } from 'vitest';
import { createPost } from './post.js';
import type { Sent } from './post.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function post(
  answer: (response: ServerResponse) => void,
  timeoutMs = 20_000,
  signal?: AbortSignal,
): Promise<Sent> {
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const records: ReadableLogRecord[] = [];
  return createPost(`http://127.0.0.1:${port}/v1/logs`, timeoutMs)(records, signal ?? new AbortController().signal);
}

const taken = { kind: 'taken', rejected: 0, message: '' };

it.each<[string, string, object]>([
  ['nothing', '', taken],
  ['an empty success', '{}', taken],
  ['no JSON', '<html>', taken],
  ['more than anybody reads', 'x'.repeat(1_000_000), taken],
  [
    'a partial success',
    '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}',
    { kind: 'taken', rejected: 2, message: 'too old' },
  ],
  ['a warning', '{"partialSuccess":{"errorMessage":"slow down"}}', { ...taken, message: 'slow down' }],
  ['a number that is none', '{"partialSuccess":{"rejectedLogRecords":"-3"}}', taken],
  ['null', 'null', taken],
])('200 with %s', async (_name, body, sent) => {
  expect(await post((response) => void response.end(body))).toEqual(sent);
});

it.each([302, 400, 401, 404, 500])('takes %i as a refusal for good', async (status) => {
  expect(await post((response) => void response.writeHead(status).end())).toEqual({ kind: 'refused', status });
});

it.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['7', 7_000],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  ['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
])('takes 503 with Retry-After %s as later', async (header, retryAfterMs) => {
  const headers = header === undefined ? {} : { 'retry-after': header };
  const sent = await post((response) => void response.writeHead(503, headers).end());
  expect(sent).toEqual({ kind: 'later', status: 503, reason: 'status 503', retryAfterMs });
});

it('takes a connection that breaks, an answer that does not come and an abort as later', async () => {
  expect(await post((response) => response.destroy())).toMatchObject({ kind: 'later', reason: 'socket hang up' });
  expect(await post(() => undefined, 20)).toMatchObject({ kind: 'later', reason: 'no answer within 20 ms' });
  const abort = new AbortController();
  expect(await post(() => abort.abort(), 20_000, abort.signal)).toMatchObject({ kind: 'later', status: undefined });
});
