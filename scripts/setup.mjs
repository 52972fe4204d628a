// Brings a clone to the state that the npm scripts need: dependencies installed as the lock file says; with `--build`,
// the packages compiled; with `--frameworks`, the agent frameworks that `test/frameworks` runs, each in a folder of its own,
// so that what they bring stays apart. Does nothing when that is already so. Uses only what Node itself brings.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

/** The stamp of a folder and what it has to say where what its lock file asks for is installed. */
function stampOf(folder) {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  return { file: path.join(folder, 'node_modules', '.seamtrace-lock'), lock };
}

function isInstalled(folder) {
  const { file, lock } = stampOf(folder);
  return existsSync(file) && readFileSync(file, 'utf8') === lock;
}

const NPM_CI = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs what the lock file of a folder says. */
function install(folder) {
  console.error('installing dependencies (npm ci) …');
  run('npm', NPM_CI);
  const { file, lock } = stampOf(folder);
  writeFileSync(file, lock);
}

/** The same for many folders, a few at a time: most of it is waiting for the network and the disk. */
async function installAll(folders) {
  const left = [...folders];
  const next = async () => {
    for (let folder = left.shift(); folder !== undefined; folder = left.shift()) {
      console.error(
        `installing dependencies of ${path.relative(root, folder)} (npm ci), ${left.length} more to come …`,
      );
      const child = spawn('npm', NPM_CI, { cwd: folder, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
      const [code] = await once(child, 'close');
      if (code !== 0) process.exit(code ?? 1);
      const { file, lock } = stampOf(folder);
      writeFileSync(file, lock);
    }
  };
  await Promise.all([next(), next(), next()]);
}

/** Folders below with a lock file of their own: `<framework>/<version>`. */
function frameworkFolders(base) {
  return readdirSync(base, { withFileTypes: true, recursive: true })
    .filter(({ name, parentPath }) => name === 'package-lock.json' && !parentPath.includes('node_modules'))
    .map(({ parentPath }) => parentPath)
    .sort();
}

if (!isInstalled(root)) install(root);
if (process.argv.includes('--frameworks')) {
  await installAll(frameworkFolders(path.join(root, 'test/frameworks')).filter((folder) => !isInstalled(folder)));
}
if (process.argv.includes('--build')) run(process.execPath, ['scripts/build.mjs']);
