// npm run bench [-- --json FILE] [-- --only NAME]: runs every test/bench/*.bench.mjs, prints its rows, and at the end what
// is asked of them beside what was measured. A missed target is marked and no failure: a bench measures, tests judge.
// A bench exports `name` and `run()`, which resolves to rows (see rounds.mjs) or to a report with more than rows.
import { readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printFigures, printRows, printTargets } from './print.mjs';

/**
 * @typedef {{ what: string, target: string, measured: string | undefined, met?: boolean }} Target `measured` is
 *   `undefined` where it could not be measured here; `skipped` then says why.
 * @typedef {{ what: string, value: string }} Figure Something measured that is no speed.
 * @typedef {{ rows: readonly import('./rounds.mjs').Row[], figures?: readonly Figure[], notes?: readonly string[],
 *   skipped?: readonly string[], targets?: readonly Target[] }} Report
 */

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

/** @returns {Promise<Report>} */
async function reportOf(bench) {
  const report = await bench.run();
  return Array.isArray(report) ? { rows: report } : report;
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const { json, only } = options();
const machine = { node: process.version, cpu: os.cpus()[0]?.model ?? 'unknown', cores: os.cpus().length };
console.log(`node ${machine.node}, ${machine.cores} × ${machine.cpu}`);
const reports = {};
for (const bench of await load(only)) {
  const report = (reports[bench.name] = await reportOf(bench));
  console.log(`\n${bench.name}`);
  if (report.rows.length > 0) printRows(report.rows);
  printFigures(report.figures ?? []);
  for (const note of report.notes ?? []) console.log(`  ${note}`);
  for (const reason of report.skipped ?? []) console.log(`  not measured: ${reason}`);
}
printTargets(Object.values(reports).flatMap(({ targets = [] }) => targets));
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, reports }, null, 2)}\n`);
