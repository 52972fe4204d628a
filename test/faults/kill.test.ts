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
  it.each<[NonNullable<KillOptions['sabotage']>, readonly string[]]>([
    // Of a handoff, all or only some of its pieces may have been in the batch.
    ['batch_never_sent', ['missing', 'wrong']],
    ['line_lost', ['missing']],
    ['verdict_altered', ['wrong']],
    ['line_invented', ['invented']],
    ['id_changed', ['two_ids']],
  ])('differ when %s', async (sabotage, faults) => {
    const report = await runKills({ ...quick, sabotage });
    const found = report.differences.map((difference) => difference.fault);
    expect(
      found.some((fault) => faults.includes(fault)),
      `found: ${found.join(', ')}`,
    ).toBe(true);
  });
});
