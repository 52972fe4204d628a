import { describe, expect, it } from 'vitest';
import { fuzzInProcess } from './fuzz/in-process.js';
import { fuzzOverSocket } from './fuzz/over-socket.js';
import { seedOf } from './random.js';

const seed = seedOf(process.env['SEAMTRACE_SEED']);

describe(`50,000 mutated requests (SEAMTRACE_SEED=${seed} repeats them)`, () => {
  it('pass through decoding, packing, reassembly and grading without a fault', () => {
    const counts = fuzzInProcess({ seed, inputs: 44_000 });
    console.log(`fuzz in process, seed ${seed}: ${JSON.stringify(counts)}`);
    // Inputs that get nowhere would prove nothing.
    expect(counts.refused).toBeGreaterThan(1_000);
    expect(counts.rejected).toBeGreaterThan(1_000);
    expect(counts.evidence).toBeGreaterThan(1_000);
    expect(counts.verdicts).toBeGreaterThan(1_000);
  });

  it('are answered by a running service, which then grades a sound handoff as before', async () => {
    const { answers, largestMiB, restMiB } = await fuzzOverSocket({ seed, inputs: 6_000 });
    console.log(`fuzz over sockets, seed ${seed}: ${JSON.stringify({ answers, largestMiB, restMiB })}`);
    expect(Object.keys(answers)).toEqual(expect.arrayContaining(['200', '400', 'gRPC OK', 'gRPC INVALID_ARGUMENT']));
  });
});
