import { describe, expect, it } from 'vitest';
import { type KillOptions, runKills } from './kill.js';
import { seedOf } from './random.js';

const seed = seedOf(process.env['SEAMTRACE_SEED']);
const quick = { seed, kills: 0, durability: 'none', calmMs: 500 } as const;
const again = `repeat it with SEAMTRACE_SEED=${seed}`;

describe('what was acknowledged and what was said', () => {
  it('are the same where nothing is killed', async () => {
    const report = await runKills({ ...quick, calmMs: 4_000 });
    expect(report.differences, again).toEqual([]);
    expect(report.complaints, again).toEqual([]);
    expect(Object.keys(report.verdicts)).toHaveLength(6);
  });

  it.each(['process', 'power'] as const)(
    'are the same after 5 ends at random moments, durability %s',
    async (durability) => {
      const report = await runKills({ seed, kills: 5, durability });
      const { kills, stops, killedWhileStarting, acknowledged, attempts, repeated } = report;
      console.log(
        `seed ${seed}: ${JSON.stringify({ kills, stops, killedWhileStarting, acknowledged, attempts, repeated })}`,
      );
      expect(report.differences, again).toEqual([]);
      expect(report.complaints, again).toEqual([]);
      expect(Object.keys(report.verdicts)).toHaveLength(6);
    },
  );

  // A comparison that cannot fail proves nothing.
  it.each<[NonNullable<KillOptions['sabotage']>, string]>([
    ['batch_never_sent', 'missing'],
    ['line_lost', 'missing'],
    ['verdict_altered', 'wrong'],
    ['line_invented', 'invented'],
    ['id_changed', 'two_ids'],
  ])('differ when %s', async (sabotage, fault) => {
    const report = await runKills({ ...quick, sabotage });
    expect(report.differences.map((difference) => difference.fault)).toContain(fault);
  });
});
