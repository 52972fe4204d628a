import { request as httpRequest } from 'node:http';
import { constants, createDeflateRaw } from 'node:zlib';
import { memoryBytes, startAnalyzer, unmeasurable } from './processes.mjs';

export const name = 'bomb';

const MEBI = 1024 * 1024;
const LIMIT = 64 * MEBI;
const INFLATED = 10 * 1024 * MEBI;

/** A body of 10 MB that inflates to 10 GiB: refused when it passes the limit, without ever holding much more. */
export async function run() {
  const what = 'gzip bomb of 10 GiB, 64 MiB limit';
  const target = '413, memory grows by less than 3 × the limit';
  if (unmeasurable !== undefined) {
    return { rows: [], skipped: [unmeasurable], targets: [{ what, target, measured: undefined }] };
  }
  const analyzer = await startAnalyzer({ env: { SEAMTRACE_MAX_BODY_BYTES: String(LIMIT) } });
  try {
    const bomb = await gzipOfZeros(INFLATED);
    await post(analyzer.traces, Buffer.alloc(0), {});
    const before = memoryBytes(analyzer.pid).now;
    const status = await post(analyzer.traces, bomb, { 'content-encoding': 'gzip' });
    const grown = memoryBytes(analyzer.pid).peak - before;
    const measured = `${status}, memory grew by ${(grown / MEBI).toFixed(0)} MiB, ${(grown / LIMIT).toFixed(2)} × the limit`;
    const notes = [`a body of ${(bomb.length / MEBI).toFixed(1)} MiB; ${measured}`];
    return { rows: [], notes, targets: [{ what, target, measured, met: status === 413 && grown < 3 * LIMIT }] };
  } finally {
    await analyzer.stop();
  }
}

/** Of one block, repeated: each ends on a byte of its own and refers to nothing before it. */
async function gzipOfZeros(bytes) {
  const block = await deflated(Buffer.alloc(MEBI), constants.Z_FULL_FLUSH);
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  // An empty last block, then checksum and length. Whoever reads as far as those has read 10 GiB.
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...Array.from({ length: bytes / MEBI }, () => block), end]);
}

function deflated(bytes, flush) {
  return new Promise((resolve, reject) => {
    const deflate = createDeflateRaw({ level: 9 });
    const chunks = [];
    deflate.on('data', (chunk) => chunks.push(chunk));
    deflate.on('error', reject);
    deflate.write(bytes, () => deflate.flush(flush, () => resolve(Buffer.concat(chunks))));
  });
}

function post(url, body, headers) {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', 'content-length': body.length, ...headers },
    });
    let status;
    // Whoever is refused in the middle of a body may find the connection cut while it still writes.
    request.on('error', (error) => (status === undefined ? reject(error) : undefined));
    request.on('response', (response) => {
      status = response.statusCode;
      response.resume().on('close', () => resolve(status));
    });
    request.end(body);
  });
}
