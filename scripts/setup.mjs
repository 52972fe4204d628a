// Brings a clone to the state that the npm scripts need: dependencies installed as the lock file says and, with
// `--build`, the packages compiled. Does nothing when that is already so. Uses only what Node itself brings.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Seamtrace needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

function run(command, args) {
  const windows = process.platform === 'win32';
  // stdout is left to the command that asked for the set-up (its output may be piped), so progress goes to stderr.
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: windows });
  if (done.error) {
    console.error(`cannot start ${command}: ${done.error.message}`);
    process.exit(1);
  }
  if (done.status !== 0) process.exit(done.status ?? 1);
}

const stamp = path.join(root, 'node_modules', '.seamtrace-lock');
const lock = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex');
const installed = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock;
if (!installed) {
  console.error('installing dependencies (npm ci) …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, lock);
}
if (process.argv.includes('--build')) run(process.execPath, ['scripts/build.mjs']);
