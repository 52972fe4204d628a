import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { type ServiceError, status } from '@grpc/grpc-js';
import { encodeProtobuf, traceRequest } from '@seamtrace/testkit';
import { type RawGrpc, rawGrpc } from '../client/grpc.js';
import { type Addresses, live } from '../client/served.js';
import { spanOf } from '../client/span.js';
import { firstWords } from '../client/story.js';
import { gradeAttempt } from '../judge/judge.js';
import type { Line } from '../judge/compare.js';
import { type Random, createRandom } from '../random.js';
import { mutateBytes } from './bytes.js';
import type { Input } from './corpus.js';
import type { FuzzOptions } from './in-process.js';
import { inputOf, saved } from './input.js';

export interface SocketCounts {
  readonly inputs: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly restMiB: number;
  readonly largestMiB: number;
}

/** Answers that a client can earn over HTTP. Nothing of 500 and above is among them. */
const EARNED = new Set([200, 400, 404, 405, 408, 411, 413, 414, 415, 417, 431]);
/** Statuses that a client can earn over gRPC. */
const EARNED_GRPC = new Set([status.OK, status.INVALID_ARGUMENT, status.RESOURCE_EXHAUSTED, status.UNIMPLEMENTED]);
const IN_FLIGHT = 8;
const HANGS_MS = 60_000;
/** Records and connections are bounded; beyond what they take, memory may not grow with the number of inputs. */
const MOST_MIB = 600;
const MAX_PENDING = 5_000;
const PACE = { SEAMTRACE_SETTLE_S: '0.1', SEAMTRACE_DEADLINE_S: '1', SEAMTRACE_RETENTION_S: '5' };

/**
 * Sends mutated requests to a service in a process of its own, over HTTP, gRPC and bare connections. Throws, with the file
 * of the input, on an answer that is the service's own fault, on no answer, on its end and on memory without bounds.
 * At the end a sound handoff must still get its verdict.
 */
export async function fuzzOverSocket({ seed, inputs, say = () => undefined }: FuzzOptions): Promise<SocketCounts> {
  const lines: Line[] = [];
  const env = { ...PACE, SEAMTRACE_MAX_PENDING: String(MAX_PENDING) };
  const data = mkdtempSync(path.join(tmpdir(), 'seamtrace-fuzz-data-'));
  const service = live(env, ['--data', data], (line) => lines.push(line));
  const ended = service.ended.then(({ code, signal }) => {
    throw new Error(`serve ended by ${signal ?? `exit ${code}`} and said:\n${service.said()}`);
  });
  ended.catch(() => undefined);
  const addresses = await service.ready;
  const grpc = rawGrpc(addresses.grpc);
  const answers: Record<string, number> = {};
  let next = 0;
  let largestMiB = 0;

  async function worker(): Promise<void> {
    while (next < inputs) {
      const index = next;
      next += 1;
      const input = inputOf(seed, index);
      try {
        const answer = await Promise.race([sendOne(input, createRandom(seed ^ (index * 31)), addresses, grpc), ended]);
        answers[answer] = (answers[answer] ?? 0) + 1;
        if (index % 500 === 499) largestMiB = Math.max(largestMiB, withinBounds(service.pid));
      } catch (error) {
        const file = saved(input, seed, index);
        const { message } = error as Error;
        throw new Error(`input ${index} of seed ${seed} (${input.encoding}, saved as ${file}): ${message}`, {
          cause: error,
        });
      }
      if (index % 20_000 === 19_999) say(`fuzz over sockets: ${index + 1} inputs, ${largestMiB} MiB at most`);
    }
  }

  try {
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    await Promise.race([soundHandoff(addresses, lines, seed), ended]);
    const restMiB = withinBounds(service.pid);
    const { code } = await service.end('SIGTERM');
    if (code !== 0) throw new Error(`serve stopped with exit code ${code} and said:\n${service.said()}`);
    return { inputs, answers, restMiB, largestMiB };
  } finally {
    grpc.close();
    await service.end('SIGKILL');
    rmSync(data, { recursive: true });
  }
}

async function sendOne(input: Input, random: Random, { otlp }: Addresses, grpc: RawGrpc): Promise<string> {
  if (random.chance(0.02)) return bare(input, random, otlp);
  if (input.encoding === 'protobuf' && random.chance(0.3)) return overGrpc(input, grpc);
  const { contentType, coding, body } = packed(input, random);
  const response = await fetch(`${otlp}${random.chance(0.005) ? '/v1/other' : '/v1/traces'}`, {
    method: random.chance(0.005) ? 'PUT' : 'POST',
    headers: { 'content-type': contentType, ...(coding === undefined ? {} : { 'content-encoding': coding }) },
    body,
    signal: AbortSignal.timeout(HANGS_MS),
  });
  const text = await response.text();
  if (!EARNED.has(response.status)) throw new Error(`answered ${response.status} ${text.slice(0, 300)}`);
  return String(response.status);
}

function packed({ encoding, body }: Input, random: Random) {
  const spoken = random.chance(0.03) ? otherEncoding(encoding) : encoding;
  const contentType = spoken === 'json' ? 'application/json' : 'application/x-protobuf';
  const coding = random.pick([undefined, undefined, 'gzip', 'deflate'] as const);
  if (coding === undefined) return { contentType, coding, body };
  const compressed = coding === 'gzip' ? gzipSync(body) : deflateSync(body);
  return { contentType, coding, body: random.chance(0.2) ? mutateBytes(compressed, body, random) : compressed };
}

function otherEncoding(encoding: Input['encoding']): Input['encoding'] {
  return encoding === 'json' ? 'protobuf' : 'json';
}

async function overGrpc({ body }: Input, grpc: RawGrpc): Promise<string> {
  try {
    await grpc.call(body);
    return 'gRPC OK';
  } catch (error) {
    const { code, details } = error as ServiceError;
    if (!EARNED_GRPC.has(code)) throw new Error(`gRPC answered ${status[code]}: ${details}`, { cause: error });
    return `gRPC ${status[code]}`;
  }
}

/** A whole HTTP message with mutated bytes, on a connection of its own; any answer will do, and none as well. */
async function bare({ body }: Input, random: Random, otlp: string): Promise<string> {
  const { hostname, port } = new URL(otlp);
  const head = `POST /v1/traces HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-protobuf\r\nContent-Length: ${body.length}\r\n\r\n`;
  const message = mutateBytes(Buffer.concat([Buffer.from(head), body]), body, random);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.setTimeout(200, () => socket.destroy());
  let answer = '';
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.end(message);
  await once(socket, 'close');
  const code = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
  if (code !== undefined && Number(code) >= 500)
    throw new Error(`a bare connection was answered ${answer.slice(0, 300)}`);
  return `bare ${code ?? 'unanswered'}`;
}

/** Resident memory in MiB; throws when it is more than the limits allow. */
function withinBounds(pid: number): number {
  const kiB = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  const miB = Math.round(kiB / 1024);
  if (miB > MOST_MIB) throw new Error(`the service has ${miB} MiB in memory; ${MOST_MIB} is the limit of this run`);
  return miB;
}

async function soundHandoff({ otlp }: Addresses, lines: readonly Line[], seed: number): Promise<void> {
  const [first] = firstWords();
  const piece = { ...first!, name: `sound-${seed}`, handoffId: `sound-${seed}` };
  const response = await fetch(`${otlp}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
    body: Buffer.from(encodeProtobuf(traceRequest([spanOf(piece)]))),
  });
  if (response.status !== 200)
    throw new Error(`a sound request was answered ${response.status} ${await response.text()}`);
  const expected = gradeAttempt([piece], new Set());
  for (const until = Date.now() + HANGS_MS; ;) {
    const line = lines.find((one) => one['handoff_id'] === piece.handoffId);
    if (line !== undefined && line['verdict'] === expected.verdict) return;
    if (line !== undefined) throw new Error(`a sound handoff was graded ${String(line['verdict'])}`);
    if (Date.now() > until) throw new Error('a sound handoff got no verdict any more');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
