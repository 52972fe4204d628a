// npm run soak [-- kill|fuzz|memory] [-- --seed N …]: what needs longer than a CI run. Each prints its seed, which repeats it,
// and fails with what it found. Without a name all three run, one after the other.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    kills: { type: 'string', default: '50' },
    durability: { type: 'string', default: 'process' },
    inputs: { type: 'string', default: '2000000' },
    waves: { type: 'string', default: '20' },
    'wave-seconds': { type: 'string', default: '20' },
  },
});
const number = (name) => {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number, not ${values[name]}`);
  return value;
};
const seed = number('seed');
const root = fileURLToPath(new URL('../..', import.meta.url));
const load = async (file) =>
  (
    await runnerImport(fileURLToPath(new URL(`../faults/${file}`, import.meta.url)), {
      root,
      configFile: false,
      logLevel: 'error',
    })
  ).module;

const SOAKS = {
  /** The service killed at random moments under load; everything acknowledged compared with everything said. */
  async kill(say) {
    const { runKills } = await load('kill.ts');
    const { differences, complaints, ...report } = await runKills({
      seed,
      kills: number('kills'),
      durability: values.durability,
      say,
    });
    say(JSON.stringify(report));
    const faults = [...differences.map((difference) => JSON.stringify(difference)), ...complaints];
    if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 50).join('\n')}`);
  },
  /** Mutated requests: nine of ten through the parts in this process, the others over sockets. */
  async fuzz(say) {
    const inputs = number('inputs');
    const { fuzzInProcess } = await load('fuzz/in-process.ts');
    say(JSON.stringify(fuzzInProcess({ seed, inputs: Math.ceil(inputs * 0.9), say })));
    const { fuzzOverSocket } = await load('fuzz/over-socket.ts');
    say(JSON.stringify(await fuzzOverSocket({ seed: seed + 1, inputs: Math.floor(inputs * 0.1), say })));
  },
  /** Waves of traffic with silence between them; every size must come back to its level. */
  async memory(say) {
    const { soakMemory } = await load('memory.ts');
    await soakMemory({ seed, waves: number('waves'), waveMs: number('wave-seconds') * 1000, say });
  },
};

for (const name of positionals.length > 0 ? positionals : Object.keys(SOAKS)) {
  if (!Object.hasOwn(SOAKS, name))
    throw new Error(`there is no soak '${name}'; there are ${Object.keys(SOAKS).join(', ')}`);
  const say = (what) => console.log(`soak ${name}: ${what}`);
  say(`seed ${seed}`);
  await SOAKS[name](say);
  say('nothing found');
}
