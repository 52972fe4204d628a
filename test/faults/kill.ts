import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from './client/load.js';
import type { Comparison, Line } from './judge/compare.js';
import { type Random, createRandom } from './random.js';
import { PACE, type Run, sentBy, startRun } from './run.js';

export interface KillOptions {
  readonly seed: number;
  /** Ends of the service, a fifth of them by SIGTERM. */
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

export interface KillReport extends Comparison, ReturnType<typeof sentBy> {
  readonly kills: number;
  readonly stops: number;
  readonly killedWhileStarting: number;
  readonly families: number;
  readonly acknowledged: number;
  readonly unsure: number;
  readonly complaints: readonly string[];
}

/** The service is ended after up to this many pieces more than before were acknowledged. */
const PIECES_A_LIFE = 800;
const LONGEST_LIFE_MS = 8_000;

/**
 * Runs the service under load, kills it at random moments, starts it again on the same data, and compares all that was
 * acknowledged with all that was said.
 */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const { seed, kills, durability, familiesPerSecond = 120, calmMs = 1_500, sabotage, say = () => undefined } = options;
  const random = createRandom(seed);
  const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-kill-'));
  const counted = { kills: 0, stops: 0, killedWhileStarting: 0 };
  const run = await startRun({
    seed,
    args: ['--data', folder, '--durability', durability],
    lieEvery: sabotage === 'batch_never_sent' ? 7 : undefined,
    alter: (lines) => altered(lines, sabotage),
  });
  try {
    const load = startLoad({ random: createRandom(seed + 1000), pace: PACE, senders: run.senders, familiesPerSecond });
    while (counted.kills + counted.stops < kills) {
      const how = random.pick(['stop', 'kill', 'kill', 'kill while starting', 'kill'] as const);
      if (how === 'kill while starting') {
        await underLoad(run, random);
        await run.end('SIGKILL');
        counted.kills += 1;
        run.begin();
        await Promise.race([run.life().ready, sleep(100 + random.below(600))]);
        counted.killedWhileStarting += 1;
      } else {
        await underLoad(run, random);
      }
      await run.end(how === 'stop' ? 'SIGTERM' : 'SIGKILL');
      counted[how === 'stop' ? 'stops' : 'kills'] += 1;
      await sleep(random.chance(0.5) ? 0 : random.below(400));
      run.begin();
      say(`${JSON.stringify(counted)}; ${run.log.sizes().acknowledged} pieces, ${run.lines.length} lines`);
    }
    await run.life().ready;
    await sleep(calmMs);
    await load.finish();
    const comparison = await run.compared();
    await run.end('SIGTERM');
    const sent = sentBy(run.senders);
    const { complaints } = run;
    return { ...comparison, ...counted, ...run.log.sizes(), ...sent, families: load.families(), complaints };
  } finally {
    await run.close();
    rmSync(folder, { recursive: true });
  }
}

/** Until a random number of pieces has been acknowledged; now and then with a reader of lines that has fallen asleep. */
async function underLoad(run: Run, random: Random): Promise<void> {
  await run.life().ready;
  if (random.chance(0.2)) run.life().pauseReading();
  const goal = run.log.sizes().acknowledged + random.below(PIECES_A_LIFE);
  const until = Date.now() + LONGEST_LIFE_MS;
  while (run.log.sizes().acknowledged < goal && Date.now() < until) await sleep(random.below(20));
}

function altered(lines: readonly Line[], sabotage: KillOptions['sabotage']): readonly Line[] {
  const [first] = lines;
  if (first === undefined || sabotage === undefined || sabotage === 'batch_never_sent') return lines;
  if (sabotage === 'line_lost') return lines.filter((line) => line['handoff_id'] !== first['handoff_id']);
  if (sabotage === 'line_invented') return [...lines, { ...first, handoff_id: 'never-sent' }];
  if (sabotage === 'id_changed') return [...lines, { ...first, verdict_id: 'another' }];
  return [{ ...first, verdict: 'packaging_loss' }, ...lines.slice(1)];
}
