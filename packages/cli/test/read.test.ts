import { gzipSync } from 'node:zlib';
import { encodeJson, encodeProtobuf, traceRequest } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { decodeRequest } from '../src/grade/grader.js';
import { type ReadRequest, readRequests } from '../src/input/requests.js';

const request = (id: string) =>
  traceRequest([
    {
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      name: 'handoff',
      startUnixNano: 1n,
      endUnixNano: 2n,
      attributes: { 'seamtrace.handoff.id': id },
    },
  ]);
const json = (id: string) => encodeJson(request(id));
const bytes = (text: string) => new TextEncoder().encode(text);

async function read(input: Uint8Array, chunkSize = input.length || 1): Promise<ReadRequest[]> {
  async function* chunks() {
    for (let at = 0; at < input.length; at += chunkSize) yield input.subarray(at, at + chunkSize);
  }
  const requests: ReadRequest[] = [];
  for await (const one of readRequests(chunks(), 'spans', decodeRequest)) requests.push(one);
  return requests;
}

const ids = (requests: readonly ReadRequest[]) =>
  requests.map((one) => (one.ok ? one.spans[0]?.attributes.get('seamtrace.handoff.id') : one.message));

describe('readRequests', () => {
  const pretty = JSON.stringify(JSON.parse(json('h-1')), null, 2);
  it.each([
    ['one request', bytes(json('h-1'))],
    ['one request over many lines', bytes(pretty)],
    ['one request with a byte order mark', bytes(`\uFEFF${pretty}`)],
    ['protobuf', encodeProtobuf(request('h-1'))],
    ['gzip of JSON', gzipSync(json('h-1'))],
    ['gzip of protobuf', gzipSync(encodeProtobuf(request('h-1')))],
  ])('reads %s, whatever the chunks', async (_, input) => {
    for (const size of [1, 7, input.length]) expect(ids(await read(input, size))).toEqual(['h-1']);
  });

  it('reads one request a line, with blank lines and Windows line ends, and says where each stood', async () => {
    const input = bytes(`\n${json('h-1')}\r\n\r\n${json('h-2')}\n${json('h-3')}`);
    for (const size of [1, 100, input.length]) {
      const requests = await read(input, size);
      expect(ids(requests)).toEqual(['h-1', 'h-2', 'h-3']);
      expect(requests.map(({ where }) => where)).toEqual(['spans:2', 'spans:4', 'spans:5']);
    }
  });

  it('reads gzip files that were appended to each other', async () => {
    const input = Buffer.concat([gzipSync(`${json('h-1')}\n`), gzipSync(`${json('h-2')}\n`)]);
    expect(ids(await read(input))).toEqual(['h-1', 'h-2']);
  });

  it('stops at the first line that is no request and names it', async () => {
    const requests = await read(bytes(`${json('h-1')}\n{"resourceSpans": [\n${json('h-3')}\n`));
    expect(requests).toHaveLength(2);
    expect(requests[1]).toMatchObject({ ok: false, where: 'spans:2' });
  });

  it('gives nothing for an empty input', async () => {
    expect(await read(new Uint8Array())).toEqual([]);
    expect(await read(gzipSync(''))).toEqual([]);
  });

  it.each([
    ['text', bytes('hello, these are no spans\n')],
    ['cut JSON', bytes(json('h-1').slice(0, 80))],
    ['an array', bytes('[]')],
    ['cut protobuf', encodeProtobuf(request('h-1')).subarray(0, 40)],
    ['bytes that are not UTF-8', Buffer.concat([bytes('{"resourceSpans":[],"x":"'), Uint8Array.of(0xff), bytes('"}')])],
  ])('refuses %s with a message', async (_, input) => {
    const [first, ...rest] = await read(input);
    expect(rest).toEqual([]);
    expect(first?.ok).toBe(false);
  });

  it('throws for a gzip stream that breaks off or is damaged', async () => {
    const whole = gzipSync(json('h-1'));
    await expect(read(whole.subarray(0, whole.length - 9))).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 20, 30);
    await expect(read(damaged)).rejects.toMatchObject({ code: expect.stringMatching(/^Z_/) as string });
  });

  it('holds one line at a time, not the file', async () => {
    const line = bytes(`${json('h-1')}\n`);
    let pulled = 0;
    async function* endless() {
      for (;;) {
        pulled += 1;
        yield line;
      }
    }
    let seen = 0;
    for await (const one of readRequests(endless(), 'spans', decodeRequest)) {
      expect(one.ok).toBe(true);
      seen += 1;
      if (seen === 1000) break;
    }
    expect(pulled).toBeLessThan(seen + 20);
  });
});
