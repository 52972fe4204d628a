// Brings a clone to the state that the npm scripts need: dependencies installed as the lock file says; with `--build`,
// the packages compiled; with `--frameworks`, the agent frameworks that `test/frameworks` runs, each in a folder of its own,
// so that what they bring stays apart. Does nothing when that is already so. Uses only what Node itself brings.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Seamtrace needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

function run(command, args, cwd = root) {
  const windows = process.platform === 'win32';
  // stdout is left to the command that asked for the set-up (its output may be piped), so progress goes to stderr.
  const done = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2], shell: windows });
  if (done.error) {
    console.error(`cannot start ${command}: ${done.error.message}`);
    process.exit(1);
  }
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** Installs what the lock file of a folder says, unless it stands there. */
function install(folder) {
  const stamp = path.join(folder, 'node_modules', '.seamtrace-lock');
  const lock = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error(`installing dependencies${folder === root ? '' : ` of ${path.relative(root, folder)}`} (npm ci) …`);
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  writeFileSync(stamp, lock);
}

/** Folders below with a lock file of their own: `<framework>/<version>`. */
function frameworkFolders(base) {
  return readdirSync(base, { withFileTypes: true, recursive: true })
    .filter(({ name, parentPath }) => name === 'package-lock.json' && !parentPath.includes('node_modules'))
    .map(({ parentPath }) => parentPath)
    .sort();
}

install(root);
if (process.argv.includes('--frameworks')) frameworkFolders(path.join(root, 'test/frameworks')).forEach(install);
if (process.argv.includes('--build')) run(process.execPath, ['scripts/build.mjs']);
