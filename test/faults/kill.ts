import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientLog, createClientLog } from './client/log.js';
import { startLoad } from './client/load.js';
import { type Sender, type Transport, createSender, httpTransport } from './client/sender.js';
import { type RawGrpc, grpcTransport, rawGrpc } from './client/grpc.js';
import { type Life, live, reading } from './client/served.js';
import { SPEAKERS, firstWords } from './client/story.js';
import { type Comparison, type Line, compare } from './judge/compare.js';
import { createRandom } from './random.js';

export interface KillOptions {
  readonly seed: number;
  readonly kills: number;
  /** `none` keeps nothing, so that it can only be run without kills. */
  readonly durability: 'none' | 'process' | 'power';
  readonly familiesPerSecond?: number;
  /** How long the load runs on after the last kill, and in all where there is none. */
  readonly calmMs?: number;
  /** A fault put into the run itself, to prove that the comparison finds one. */
  readonly sabotage?: 'batch_never_sent' | 'verdict_altered' | 'line_lost' | 'line_invented' | 'id_changed';
  readonly say?: (what: string) => void;
}

export interface KillReport extends Comparison {
  readonly kills: number;
  readonly stops: number;
  readonly killedWhileStarting: number;
  readonly families: number;
  readonly acknowledged: number;
  readonly unsure: number;
  readonly batches: number;
  readonly retries: number;
  /** Answers that no valid batch earns, and processes that ended by themselves. */
  readonly complaints: readonly string[];
}

const PACE = { settleMs: 200, deadlineMs: 1_500 };
const SENDERS = 4;
/** After this long without the last verdict, it is missing. */
const PATIENCE_MS = 60_000;

/**
 * Runs the service under load, kills it at random moments, starts it again on the same data, and compares all that was
 * acknowledged with all that was said.
 */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const { seed, kills, durability, familiesPerSecond = 120, calmMs = 1_500, sabotage, say = () => undefined } = options;
  const random = createRandom(seed);
  const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-kill-'));
  const log = createClientLog();
  const lines: Line[] = [];
  const complaints: string[] = [];
  const counted = { kills: 0, stops: 0, killedWhileStarting: 0 };
  const args = ['--data', folder, '--durability', durability];
  const env = {
    SEAMTRACE_SETTLE_S: String(PACE.settleMs / 1000),
    SEAMTRACE_DEADLINE_S: String(PACE.deadlineMs / 1000),
    SEAMTRACE_RETENTION_S: '3600',
    SEAMTRACE_STOP_TIMEOUT_S: '5',
  };

  let life = live(env, args, (line) => lines.push(line));
  const clients = new Map<string, RawGrpc>();
  const transport = async (grpc: boolean): Promise<Transport> => {
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
  };
  const senders = Array.from({ length: SENDERS }, (_, index) =>
    createSender({
      log,
      random: createRandom(seed + index + 1),
      transport: () => transport(index % 2 === 1),
      complain: (what) => complaints.push(what),
      givesUp: 0.25,
      lieEvery: sabotage === 'batch_never_sent' && index === 0 ? 7 : undefined,
    }),
  );

  async function endAndRestart(): Promise<void> {
    const stops = random.chance(0.2);
    const whileStarting = !stops && random.chance(0.3);
    if (whileStarting) {
      await end(life, 'SIGKILL');
      life = live(env, args, (line) => lines.push(line));
      await Promise.race([life.ready, sleep(100 + random.below(600))]);
      counted.killedWhileStarting += 1;
    } else {
      await life.ready;
      if (random.chance(0.2)) life.pauseReading();
      await sleep(random.below(1_500));
    }
    await end(life, stops ? 'SIGTERM' : 'SIGKILL');
    counted[stops ? 'stops' : 'kills'] += 1;
    await sleep(random.chance(0.5) ? 0 : random.below(400));
    life = live(env, args, (line) => lines.push(line));
  }

  async function end(one: Life, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { code, signal: by } = await one.end(signal);
    if (signal === 'SIGTERM' ? code !== 0 : by !== 'SIGKILL') {
      complaints.push(`serve ended by ${by ?? `exit ${code}`} instead of ${signal}; it said:\n${one.said()}`);
    }
  }

  try {
    await life.ready;
    await senders[1]!.send(firstWords());
    const load = startLoad({ random: createRandom(seed + 1000), pace: PACE, senders, familiesPerSecond });
    for (let done = 0; done < kills; done = counted.kills + counted.stops) {
      await endAndRestart();
      say(`${counted.kills} kills, ${counted.stops} stops; ${log.sizes().acknowledged} pieces, ${lines.length} lines`);
    }
    await life.ready;
    await sleep(calmMs);
    await load.finish();
    const comparison = await untilQuiet(life, log, () => altered(lines, sabotage));
    await end(life, 'SIGTERM');
    return { ...comparison, ...counted, ...log.sizes(), families: load.families(), ...sums(senders), complaints };
  } finally {
    for (const client of clients.values()) client.close();
    await life.end('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

/** Compares until nothing is different, or until waiting longer cannot help. Then once more, for what comes too much. */
async function untilQuiet(life: Life, log: ClientLog, lines: () => readonly Line[]): Promise<Comparison> {
  const { admin } = await life.ready;
  const now = (): Comparison => compare(log.families().values(), lines(), SPEAKERS);
  const until = Date.now() + PATIENCE_MS;
  for (let quiet = 0; Date.now() < until && quiet < 8;) {
    const before = lines().length;
    await sleep(PACE.settleMs * 2);
    const waiting = await reading(admin, 'seamtrace_analyzer_pending');
    quiet = waiting === 0 && lines().length === before ? quiet + 1 : 0;
    if (quiet >= 2 && now().differences.length === 0) break;
  }
  return now();
}

function altered(lines: readonly Line[], sabotage: KillOptions['sabotage']): readonly Line[] {
  const [first] = lines;
  if (first === undefined || sabotage === undefined || sabotage === 'batch_never_sent') return lines;
  if (sabotage === 'line_lost') return lines.filter((line) => line['handoff_id'] !== first['handoff_id']);
  if (sabotage === 'line_invented') return [...lines, { ...first, handoff_id: 'never-sent' }];
  if (sabotage === 'id_changed') return [...lines, { ...first, verdict_id: 'another' }];
  return [{ ...first, verdict: 'packaging_loss' }, ...lines.slice(1)];
}

function sums(senders: readonly Sender[]): { batches: number; retries: number } {
  const counts = senders.map((sender) => sender.counts());
  return {
    batches: counts.reduce((sum, { batches }) => sum + batches, 0),
    retries: counts.reduce((sum, { retries }) => sum + retries, 0),
  };
}
