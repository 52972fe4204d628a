// npm run bench [-- --json FILE] [-- --only NAME]: runs every test/bench/*.bench.mjs and prints its rows.
// A bench exports `name` and `run(): Promise<Row[]>` (see rounds.mjs).
import { readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = new URL('./', import.meta.url);

function options() {
  try {
    return parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' } } }).values;
  } catch (error) {
    console.error(`${error.message}\nusage: npm run bench -- [--json FILE] [--only NAME]`);
    process.exit(2);
  }
}

async function load(only) {
  const files = readdirSync(fileURLToPath(here)).filter((file) => file.endsWith('.bench.mjs'));
  const benches = await Promise.all(files.sort().map((file) => import(new URL(file, here))));
  const chosen = benches.filter(({ name }) => only === undefined || name === only);
  if (chosen.length > 0) return chosen;
  console.error(`there is no bench ${JSON.stringify(only)}; there are: ${benches.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

function print(name, rows) {
  const cells = [
    ['case', 'per CPU second', 'ratio', 'lowest to highest'],
    ...rows.map((row) => [
      row.case,
      `${number.format(row.perSecond)} ${row.unit}`,
      `${row.ratio.toFixed(2)}x`,
      `${row.lowest.toFixed(2)} to ${row.highest.toFixed(2)}`,
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  console.log(`\n${name}`);
  for (const line of cells) {
    console.log(
      `  ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('   ')}`,
    );
  }
}

const { json, only } = options();
const machine = { node: process.version, cpu: os.cpus()[0]?.model ?? 'unknown', cores: os.cpus().length };
console.log(`node ${machine.node}, ${machine.cores} × ${machine.cpu}`);
const results = {};
for (const bench of await load(only)) {
  results[bench.name] = await bench.run();
  print(bench.name, results[bench.name]);
}
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, results }, null, 2)}\n`);
