// Looks at every public package as npm would publish it: publint for the manifest, attw for the types in each way of
// importing. Needs a build. Prints only what is wrong, and which packages were looked at.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const failures = [];

function run(what, command, args, cwd) {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (done.status === 0) return done.stdout;
  failures.push(what);
  console.error(`${what} failed:\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`);
  return undefined;
}

for (const folder of readdirSync(path.join(root, 'packages')).sort()) {
  const cwd = path.join(root, 'packages', folder);
  const manifest = JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8'));
  if (manifest.private) continue;
  const packed = mkdtempSync(path.join(tmpdir(), 'seamtrace-pack-'));
  try {
    const said = run(`npm pack ${manifest.name}`, 'npm', ['pack', '--json', '--pack-destination', packed], cwd);
    if (said === undefined) continue;
    const tarball = path.join(packed, readdirSync(packed)[0]);
    run(`publint ${manifest.name}`, bin('publint'), ['run', '--strict', tarball], cwd);
    for (const [profile, entrypoints] of entryPoints(manifest)) {
      const args = [tarball, '--profile', profile, '--entrypoints', ...entrypoints];
      run(`attw ${manifest.name} (${profile})`, bin('attw'), args, cwd);
    }
    console.log(`looked at ${manifest.name}@${manifest.version}`);
  } finally {
    rmSync(packed, { recursive: true });
  }
}
if (failures.length > 0) {
  console.error(`\n${failures.length} checks of packages failed: ${failures.join(', ')}`);
  process.exit(1);
}

/**
 * Entry points by how attw is to judge them. Those without a CommonJS build (`--import …/register` among them) are ES
 * modules on purpose, so that importing them from CommonJS is not to be judged. A schema has no types at all.
 */
function entryPoints(manifest) {
  const code = Object.entries(manifest.exports).filter(([entry]) => !entry.endsWith('.json'));
  const names = (dual) => code.filter(([, target]) => (target.require !== undefined) === dual).map(([entry]) => entry);
  return [
    ['node16', names(true)],
    ['esm-only', names(false)],
  ].filter(([, list]) => list.length > 0);
}
