import { deflateSync, gzipSync } from 'node:zlib';
import { encodeJson, encodeProtobuf, traceRequest } from '@seamtrace/testkit';
import type { SpanModel } from '@seamtrace/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAllowance } from '../src/receive/allowance.js';
import { destination, dispatch } from './pipeline.js';
import { call, head, JSON_TYPE, PROTOBUF, rawSocket, readUntil, statusOf } from './receiver.js';
import type { Reply } from './receiver.js';
import { startService } from './service.js';
import type { JournalMood } from './unsteady-journal.js';

// The sender's own books: what it sent, and what the answers say became of it. They are compared with what the service
// counted; nothing of the service is asked for anything else.

type Counts = Record<string, number>;

const LIMIT = 200_000;
const SPAN_KINDS = ['good', 'foreign', 'bad id', 'broken', 'twice'] as const;
type SpanKind = (typeof SPAN_KINDS)[number];

interface Batch {
  readonly spans: readonly SpanModel[];
  /** What becomes of the spans when the batch is accepted for the first time. */
  readonly first: Counts;
  /** And when it comes again. */
  readonly again: Counts;
}

let ids = 0;

function makeBatch(kinds: readonly SpanKind[]): Batch {
  const count = (...names: SpanKind[]) => kinds.filter((kind) => names.includes(kind)).length;
  const ignored = count('foreign');
  const rejected = count('bad id', 'broken');
  const fresh = count('good', 'twice');
  return {
    spans: kinds.flatMap(makeSpans),
    first: { accepted: fresh, ignored, rejected, duplicate: count('twice') },
    again: { accepted: 0, ignored, rejected, duplicate: fresh + count('twice') },
  };
}

function makeSpans(kind: SpanKind): readonly SpanModel[] {
  ids += 1;
  const good = ids % 2 === 0 ? dispatch(`h-${ids}`) : destination(`h-${ids}`);
  if (kind === 'foreign') return [{ ...good, attributes: { 'http.route': '/a' } }];
  if (kind === 'bad id') return [dispatch('no id at all!', { span: { spanId: ids.toString(16).padStart(16, '0') } })];
  if (kind === 'broken') return [{ ...good, traceId: 'abcd' }];
  return kind === 'twice' ? [good, good] : [good];
}

const batches = fc.array(fc.constantFrom(...SPAN_KINDS), { maxLength: 12 });
const encoding = fc.constantFrom('protobuf', 'json', 'gzip', 'deflate');
const repeat = fc.constantFrom('once', 'again');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('batch' as const), batches, encoding, repeat) },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constant('fault' as const),
      fc.constantFrom(
        'undecodable',
        'oversized',
        'bomb',
        'no path',
        'no method',
        'no type',
        'no gzip',
        'no HTTP',
        'cut',
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant('mood' as const), fc.constantFrom<JournalMood>('fine', 'fine', 'full')),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function encode(
  spans: readonly SpanModel[],
  as: string,
): { headers: Record<string, string>; body: Uint8Array | string } {
  if (as === 'json') return { headers: { 'content-type': JSON_TYPE }, body: encodeJson(traceRequest(spans)) };
  const plain = encodeProtobuf(traceRequest(spans));
  if (as === 'protobuf') return { headers: { 'content-type': PROTOBUF }, body: plain };
  const body = as === 'gzip' ? gzipSync(plain) : deflateSync(plain);
  return { headers: { 'content-type': PROTOBUF, 'content-encoding': as }, body };
}

function createBooks() {
  const spans: Counts = {};
  const requests: Counts = {};
  const add = (to: Counts, counts: Counts) => {
    for (const [name, count] of Object.entries(counts)) if (count > 0) to[name] = (to[name] ?? 0) + count;
  };
  return {
    spans,
    requests,
    became: (counts: Counts) => add(spans, counts),
    answered: (code: number | 'aborted') => add(requests, { [code]: 1 }),
  };
}

type Books = ReturnType<typeof createBooks>;

/** Sends a batch, once or until it was accepted twice, and books what the answers say. */
async function sendBatch(port: number, batch: Batch, as: string, twice: boolean, books: Books): Promise<void> {
  const outcomes = twice ? [batch.first, batch.again] : [batch.first];
  for (const outcome of outcomes) {
    const reply = await call(port, encode(batch.spans, as));
    books.answered(reply.status);
    if (reply.status === 503) {
      if (!isBeforeDecoding(reply)) books.became({ refused: batch.spans.length });
      return;
    }
    expect(reply.status).toBe(200);
    books.became(outcome);
  }
}

function isBeforeDecoding(reply: Reply): boolean {
  expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  return statusOf(reply).message.includes('in flight');
}

async function sendFault(port: number, fault: string, books: Books): Promise<void> {
  const headers = { 'content-type': PROTOBUF };
  const gzip = { ...headers, 'content-encoding': 'gzip' };
  const { body } = encode(makeBatch(['good', 'good']).spans, 'protobuf');
  const status = async (request: Parameters<typeof call>[1]) => books.answered((await call(port, request)).status);
  switch (fault) {
    case 'undecodable':
      return status({ headers, body: 'hello' });
    case 'oversized':
      return status({ headers, body: new Uint8Array(LIMIT + 1) });
    case 'bomb':
      return status({ headers: gzip, body: gzipSync(new Uint8Array(5 * LIMIT)) });
    case 'no path':
      return status({ headers, body, path: '/v1/logs' });
    case 'no method':
      return status({ headers, body, method: 'PUT' });
    case 'no type':
      return status({ headers: { 'content-type': 'text/plain' }, body });
    case 'no gzip':
      return status({ headers: gzip, body });
    case 'no HTTP': {
      const socket = await rawSocket(port);
      socket.write('what is this\r\n\r\n');
      expect(await readUntil(socket, () => false)).toMatch(/^HTTP\/1\.1 400 /);
      return books.answered(400);
    }
    default: {
      const socket = await rawSocket(port);
      socket.write(head([`Content-Type: ${PROTOBUF}`, 'Content-Length: 1000', 'Expect: 100-continue']));
      const reply = await readUntil(socket, (text) => text.includes('\r\n\r\n'));
      if (!reply.startsWith('HTTP/1.1 100 ')) return books.answered(Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1]));
      socket.write(body.slice(0, 100), () => socket.resetAndDestroy());
      return books.answered('aborted');
    }
  }
}

async function take(step: Step, service: Awaited<ReturnType<typeof startService>>, books: Books): Promise<void> {
  const { port, journal } = service;
  if (step[0] === 'mood') return journal.mood(step[1]);
  if (step[0] === 'fault') return sendFault(port, step[1], books);
  return sendBatch(port, makeBatch(step[1]), step[2], step[3] === 'again', books);
}

async function compare(service: Awaited<ReturnType<typeof startService>>, books: Books): Promise<void> {
  // A reset is seen a moment after it was sent.
  await expect.poll(service.requests, { timeout: 10_000 }).toEqual(books.requests);
  expect(await service.spans()).toEqual(books.spans);
}

test('any mix of requests, one after the other: the books of the sender and of the service agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const service = await startService({ maxBodyBytes: LIMIT });
      const books = createBooks();
      for (const one of steps) await take(one, service, books);
      await compare(service, books);
    }),
    { numRuns: 25 },
  );
});

test('and many at a time, more than may be in flight', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const service = await startService({ maxBodyBytes: LIMIT, allowance: createAllowance(30_000) });
      const books = createBooks();
      await Promise.all(steps.map((one) => take(one, service, books)));
      await compare(service, books);
    }),
    { numRuns: 15 },
  );
});

test('attempts beyond what is kept of one id are rejected spans, and are so again when they come again', async () => {
  const service = await startService();
  const attempts = Array.from({ length: 260 }, (_, index) => dispatch('flood', { attempt: index + 1 }));
  const request = encode(attempts, 'protobuf');
  expect((await call(service.port, request)).status).toBe(200);
  expect(await service.spans()).toEqual({ accepted: 256, rejected: 4 });
  expect((await call(service.port, request)).status).toBe(200);
  const spans = await service.spans();
  expect(Object.values(spans).reduce((sum, count) => sum + count, 0)).toBe(520);
  expect(spans['accepted']).toBe(256);
});

test('an accept that throws refuses every span of its batch, once', async () => {
  const service = await startService();
  service.journal.append = () => Promise.reject(new TypeError('a fault of the analyzer'));
  const reply = await call(service.port, encode(makeBatch(['good', 'foreign', 'broken']).spans, 'json'));
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5']);
  expect(await service.spans()).toEqual({ refused: 3 });
});

test('strings that are no UTF-8 are counted, and their spans used', async () => {
  const service = await startService();
  const span = dispatch('h-utf8', { attributes: { 'seamtrace.task.id': 'task@1' } });
  for (const as of ['protobuf', 'json']) {
    const { headers, body } = encode([span], as);
    const bytes = Buffer.from(body);
    bytes[bytes.indexOf('@1')] = 0xff;
    expect((await call(service.port, { headers, body: bytes })).status).toBe(200);
  }
  expect(await service.spans()).toEqual({ accepted: 1, duplicate: 1 });
  expect(await service.malformed()).toEqual({ invalid_utf8: 2 });
});
