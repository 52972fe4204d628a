import { setTimeout as sleep } from 'node:timers/promises';
import { type RawGrpc, grpcTransport, rawGrpc } from './client/grpc.js';
import { type ClientLog, createClientLog } from './client/log.js';
import { type Sender, type Transport, createSender, httpTransport } from './client/sender.js';
import { type Life, live, reading } from './client/served.js';
import { SPEAKERS, firstWords } from './client/story.js';
import { type Comparison, type Line, compare } from './judge/compare.js';
import { createRandom } from './random.js';

export interface RunOptions {
  readonly seed: number;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The first sender logs every so many-th batch as acknowledged without sending it, to prove that this is noticed. */
  readonly lieEvery?: number | undefined;
  /** Changes what the service said before it is compared, for the same reason. */
  readonly alter?: ((lines: readonly Line[]) => readonly Line[]) | undefined;
}

/** A service with its data through one or several lives, the senders in front of it, and the reader of its lines. */
export interface Run {
  readonly log: ClientLog;
  readonly lines: readonly Line[];
  readonly senders: readonly Sender[];
  /** Answers that no valid batch earns, and processes that ended by themselves or otherwise than asked. */
  readonly complaints: readonly string[];
  life(): Life;
  /** Ends this life. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Begins the next one, on the same data. */
  begin(): void;
  /** Compares until nothing is different, or until waiting longer cannot help. */
  compared(): Promise<Comparison>;
  /** Ends everything, without asking how. */
  close(): Promise<void>;
}

/** Settings of the service that keep a run short. */
export const PACE = { settleMs: 200, deadlineMs: 1_500 };
const ENV = {
  SEAMTRACE_SETTLE_S: String(PACE.settleMs / 1000),
  SEAMTRACE_DEADLINE_S: String(PACE.deadlineMs / 1000),
  SEAMTRACE_RETENTION_S: '3600',
  SEAMTRACE_STOP_TIMEOUT_S: '5',
};
const SENDERS = 4;
/** Share of batches that their sender gives up when their answer is lost. */
const GIVES_UP = 0.25;
/** After this long without the last verdict, it is missing. */
const PATIENCE_MS = 60_000;
/** Without anything waiting, this many looks without a new line show that none will come. */
const QUIET_LOOKS = 8;

/** Starts the service; resolves when every agent of the stories but the silent one has been heard of. */
export async function startRun({ seed, args, env = {}, lieEvery, alter = (same) => same }: RunOptions): Promise<Run> {
  const log = createClientLog();
  const lines: Line[] = [];
  const complaints: string[] = [];
  const clients = new Map<string, RawGrpc>();
  const start = (): Life => live({ ...ENV, ...env }, args, (line) => lines.push(line));
  let life = start();

  /** To the process that lives now; waits while there is none. */
  async function transport(grpc: boolean): Promise<Transport> {
    for (;;) {
      const addresses = await life.ready.catch(() => undefined);
      if (addresses === undefined) await sleep(50);
      else if (!grpc) return httpTransport(addresses.otlp);
      else {
        const client = clients.get(addresses.grpc) ?? rawGrpc(addresses.grpc);
        clients.set(addresses.grpc, client);
        return grpcTransport(client);
      }
    }
  }

  const senders = Array.from({ length: SENDERS }, (_, index) =>
    createSender({
      log,
      random: createRandom(seed + index + 1),
      transport: () => transport(index % 2 === 1),
      complain: (what) => complaints.push(what),
      givesUp: GIVES_UP,
      lieEvery: index === 0 ? lieEvery : undefined,
    }),
  );

  async function compared(): Promise<Comparison> {
    const { admin } = await life.ready;
    const now = (): Comparison => compare(log.families().values(), alter(lines), SPEAKERS);
    const until = Date.now() + PATIENCE_MS;
    for (let quiet = 0; Date.now() < until && quiet < QUIET_LOOKS;) {
      const before = lines.length;
      await sleep(PACE.settleMs * 2);
      const waiting = await reading(admin, 'seamtrace_analyzer_pending');
      quiet = waiting === 0 && lines.length === before ? quiet + 1 : 0;
      if (quiet >= 2 && now().differences.length === 0) break;
    }
    return now();
  }

  async function close(): Promise<void> {
    for (const client of clients.values()) client.close();
    await life.end('SIGKILL');
  }

  try {
    await life.ready;
    await senders[1]!.send(firstWords());
  } catch (error) {
    await close();
    throw error;
  }
  return {
    log,
    lines,
    senders,
    complaints,
    life: () => life,
    async end(signal) {
      const { code, signal: by } = await life.end(signal);
      if (signal === 'SIGTERM' ? code === 0 : by === 'SIGKILL') return;
      complaints.push(`serve ended by ${by ?? `exit ${code}`} instead of ${signal}; it said:\n${life.said()}`);
    },
    begin: () => void (life = start()),
    compared,
    close,
  };
}

/** What the senders did, together. */
export function sentBy(senders: readonly Sender[]): Record<'batches' | 'retries' | 'lost' | 'later', number> {
  const sums = { batches: 0, retries: 0, lost: 0, later: 0 };
  for (const sender of senders) {
    for (const [name, count] of Object.entries(sender.counts())) sums[name as keyof typeof sums] += count;
  }
  return sums;
}
