import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Addresses, live, reading } from './client/served.js';
import { type Names, realRequest } from './fuzz/corpus.js';
import { type Random, createRandom } from './random.js';

export interface MemoryOptions {
  readonly seed: number;
  readonly waves: number;
  readonly waveMs: number;
  readonly say?: (what: string) => void;
}

/** What is left when a wave of traffic and every deadline behind it are over. */
export interface Level {
  readonly requests: number;
  readonly rssMiB: number;
  /** By the last part of the gauge's name. */
  readonly gauges: Readonly<Record<string, number>>;
}

/** An hour of waiting in a few seconds: everything that is kept for a time is kept for a short one. */
const ENV = {
  SEAMTRACE_SETTLE_S: '0.1',
  SEAMTRACE_DEADLINE_S: '1',
  SEAMTRACE_RETENTION_S: '2',
  SEAMTRACE_TASK_SILENCE_S: '3',
};
/** Must be 0 again when nothing waits any more. */
const EMPTY_AGAIN = ['pending', 'retained', 'tasks_open', 'journal_lag', 'journal_pending'];
/** Traces and tool calls are kept for up to an hour, which no setting shortens: these may grow with traffic, never faster. */
const GROW_WITH_TRAFFIC = ['trace_spans', 'state_size_bytes', 'journal_size_bytes'];
const IN_FLIGHT = 6;
const PATIENCE_MS = 60_000;
/** The first waves fill caches, pools and the heap that the engine keeps. */
const WARM_WAVES = 3;
const GROWTH = 1.25;
const SLACK_MIB = 32;

/**
 * Waves of handoffs, tasks and agent spans with silence between them, on one service. Throws when a size does not come
 * back to nothing, to the level of the first waves, or grows faster than the traffic.
 */
export async function soakMemory({ seed, waves, waveMs, say = () => undefined }: MemoryOptions): Promise<Level[]> {
  const data = mkdtempSync(path.join(tmpdir(), 'seamtrace-memory-'));
  const service = live(ENV, ['--data', data], () => undefined);
  const random = createRandom(seed);
  const levels: Level[] = [];
  try {
    const addresses = await service.ready;
    for (let wave = 0; wave < waves; wave += 1) {
      const requests = await sendWave(addresses, random, waveMs, wave);
      const level = { requests, ...(await levelAfter(addresses, service.pid)) };
      say(`wave ${wave + 1} of ${waves}: ${JSON.stringify(level)}`);
      levels.push(level);
    }
    assertLevel(levels);
    await service.end('SIGTERM');
    return levels;
  } finally {
    await service.end('SIGKILL');
    rmSync(data, { recursive: true });
  }
}

/** Every handoff and task is new: whatever outlives its deadline piles up. */
async function sendWave({ otlp }: Addresses, random: Random, waveMs: number, wave: number): Promise<number> {
  let sent = 0;
  const name = (): string => `${wave}.${sent}.${random.below(3)}`;
  const names: Names = { handoff: () => `h-${name()}`, task: () => `t-${name()}` };
  const until = Date.now() + waveMs;
  async function worker(): Promise<void> {
    while (Date.now() < until) {
      const { encoding, body } = realRequest(random, names);
      sent += 1;
      const response = await fetch(`${otlp}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf' },
        body,
      });
      await response.arrayBuffer();
      if (response.status === 503) await sleep(500);
      else if (response.status !== 200) throw new Error(`a sound request was answered ${response.status}`);
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return sent;
}

async function levelAfter({ admin }: Addresses, pid: number): Promise<Omit<Level, 'requests'>> {
  const gauges: Record<string, number> = {};
  for (const until = Date.now() + PATIENCE_MS; ;) {
    for (const gauge of [...EMPTY_AGAIN, ...GROW_WITH_TRAFFIC])
      gauges[gauge] = await reading(admin, `seamtrace_analyzer_${gauge}`);
    const full = EMPTY_AGAIN.filter((gauge) => gauges[gauge] !== 0);
    if (full.length === 0) break;
    if (Date.now() > until) throw new Error(`not empty after all deadlines: ${JSON.stringify(gauges)}`);
    await sleep(200);
  }
  const kiB = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return { rssMiB: Math.round(kiB / 1024), gauges };
}

function assertLevel(levels: readonly Level[]): void {
  if (levels.length <= WARM_WAVES) return;
  const warm = levels.slice(0, WARM_WAVES);
  const last = levels.at(-1)!;
  const check = (name: string, of: (level: Level) => number, slack: number): void => {
    const most = Math.max(...warm.map(of)) * GROWTH + slack;
    if (of(last) > most)
      throw new Error(`${name} is ${of(last)} after the last wave; ${Math.round(most)} is its level`);
  };
  check('resident memory in MiB', ({ rssMiB }) => rssMiB, SLACK_MIB);
  const sent = new Map(levels.map((level, index) => [level, sum(levels.slice(0, index + 1))]));
  for (const gauge of GROW_WITH_TRAFFIC) {
    check(`${gauge} for each request`, (level) => level.gauges[gauge]! / sent.get(level)!, 1);
  }
}

function sum(levels: readonly Level[]): number {
  return levels.reduce((total, { requests }) => total + requests, 0);
}
