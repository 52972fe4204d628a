import { request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { createDeflate, createGzip, gzipSync } from 'node:zlib';
import { encodeProtobuf, handoffSpan, traceRequest } from '@seamtrace/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canMeasure, startMeasured } from './measured.js';
import type { Measured } from './measured.js';

const MIB = 1024 * 1024;
const LIMIT = 64 * MIB;
const TEN_GIB = 10 * 1024 * MIB;

interface Body {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly content: Readable;
}

/** Sends a body until it ends or the answer comes, and gives back the status. */
function send(port: number, { headers, content }: Body): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method: 'POST', path: '/v1/traces', agent: false as const };
    const type = { 'content-type': 'application/x-protobuf' };
    const outgoing = request({ ...options, headers: { ...type, ...headers } }, (response) => {
      content.unpipe(outgoing);
      content.destroy();
      response.resume().on('end', () => {
        outgoing.destroy();
        resolve(response.statusCode as number);
      });
    });
    outgoing.on('error', reject);
    content.pipe(outgoing);
  });
}

function zeros(bytes: number): Readable {
  const block = Buffer.alloc(MIB);
  let left = bytes;
  return new Readable({
    read() {
      left -= block.length;
      this.push(left < 0 ? null : block);
    },
  });
}

/** 10 GiB of zeros in 10 MB: gzip members may stand one after the other. */
function members(): Buffer {
  const member = gzipSync(new Uint8Array(64 * MIB));
  return Buffer.concat(Array<Buffer>(TEN_GIB / (64 * MIB)).fill(member));
}

const BOMBS: readonly [string, () => Body][] = [
  [
    'gzip with a Content-Length',
    () => {
      const bytes = members();
      return {
        headers: { 'content-encoding': 'gzip', 'content-length': bytes.length },
        content: Readable.from([bytes]),
      };
    },
  ],
  ['gzip, chunked', () => ({ headers: { 'content-encoding': 'gzip' }, content: Readable.from([members()]) })],
  [
    'one gzip member, chunked',
    () => ({ headers: { 'content-encoding': 'gzip' }, content: zeros(TEN_GIB).pipe(createGzip({ level: 1 })) }),
  ],
  [
    'deflate, chunked',
    () => ({ headers: { 'content-encoding': 'deflate' }, content: zeros(TEN_GIB).pipe(createDeflate({ level: 1 })) }),
  ],
];

describe.skipIf(!canMeasure)(`a body of 10 GiB after inflating, where ${LIMIT / MIB} MiB are permitted`, () => {
  let service: Measured;
  beforeEach(async () => {
    service = await startMeasured();
    const handoff = traceRequest([handoffSpan({ role: 'dispatch', handoffId: 'h-001', target: 'billing' })]);
    const content = () => Readable.from([gzipSync(encodeProtobuf(handoff))]);
    expect(await send(service.port, { headers: { 'content-encoding': 'gzip' }, content: content() })).toBe(200);
  });
  afterEach(() => service.stop());

  test.each(BOMBS)('%s: 413, and memory grows by less than three times the limit', async (name, bomb) => {
    const before = service.restart();
    expect(await send(service.port, bomb())).toBe(413);
    const grown = service.peak() - before;
    console.log(`${name}: memory grew by ${(grown / MIB).toFixed(1)} MiB, ${(grown / LIMIT).toFixed(2)} x the limit`);
    expect(grown).toBeLessThan(3 * LIMIT);
  });

  test('eight of them at once: each is refused, and they share what all bodies in flight may hold, twice the limit', async () => {
    const before = service.restart();
    const bytes = members();
    const headers = { 'content-encoding': 'gzip' };
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => send(service.port, { headers, content: Readable.from([bytes]) })),
    );
    expect(statuses.filter((status) => status !== 413 && status !== 503)).toEqual([]);
    const grown = service.peak() - before;
    console.log(`eight at once: memory grew by ${(grown / MIB).toFixed(1)} MiB, ${(grown / LIMIT).toFixed(2)} x`);
    // What was given back is not collected at once; eight that each held their own limit would be above eight times.
    expect(grown).toBeLessThan(6 * LIMIT);
    expect(service.alive()).toBe(true);
  });

  test('a body that comes in chunks of one byte is held by its bytes, not by its chunks', async () => {
    const before = service.restart();
    const count = MIB;
    const socket = connect(service.port, '127.0.0.1');
    socket.write('POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\n');
    socket.write('Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
    const many = Buffer.from('1\r\n\x00\r\n'.repeat(16_384));
    const content = Readable.from(Array<Buffer>(count / 16_384).fill(many));
    let reply = '';
    socket.on('data', (chunk: Buffer) => (reply += chunk.toString('latin1')));
    content.on('end', () => socket.write('0\r\n\r\n')).pipe(socket, { end: false });
    await new Promise((resolve) => socket.on('close', resolve));
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    const grown = service.peak() - before;
    console.log(`${count} chunks of one byte: memory grew by ${(grown / MIB).toFixed(1)} MiB`);
    expect(grown).toBeLessThan(64 * count);
  });
});
