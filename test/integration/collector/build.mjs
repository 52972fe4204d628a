// Builds the collector of the integration tests and benches once and keeps it in the user's cache, by the hash of
// what it is built from. `node test/integration/collector/build.mjs` prints the path of the binary.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
// Not below node_modules, which an install may empty while this builds.
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'seamtrace');
const SOURCES = ['go.mod', 'go.sum', 'main.go'];

/**
 * The collector's binary, built first where it is not there yet: minutes without Go's own cache, seconds with it.
 * `SEAMTRACE_TEST_COLLECTOR` names another binary to use instead, such as a released contrib distribution.
 *
 * @returns {{ ok: true, file: string } | { ok: false, message: string }}
 */
export function collectorBinary({ quiet = true } = {}) {
  const given = process.env.SEAMTRACE_TEST_COLLECTOR;
  if (given !== undefined && given !== '') {
    if (existsSync(given)) return { ok: true, file: path.resolve(given) };
    return { ok: false, message: `SEAMTRACE_TEST_COLLECTOR names ${given}, and there is no such file` };
  }
  const version = spawnSync('go', ['env', 'GOVERSION'], { cwd: here, encoding: 'utf8' });
  if (version.error !== undefined || version.status !== 0) {
    const said =
      version.error === undefined ? `'go env' said: ${version.stderr.trim()}` : "there is no 'go' on the PATH";
    return {
      ok: false,
      message: `the collector is built from Go modules and needs Go 1.26 or newer, but ${said}; install Go, or name a binary in SEAMTRACE_TEST_COLLECTOR`,
    };
  }
  const hash = createHash('sha256').update(`${version.stdout.trim()} ${process.platform} ${process.arch}`);
  for (const name of SOURCES) hash.update(readFileSync(path.join(here, name)));
  const folder = path.join(cache, `collector-${hash.digest('hex').slice(0, 16)}`);
  const file = path.join(folder, 'otelcol');
  if (existsSync(file)) return { ok: true, file };
  return build(folder, file, quiet);
}

function build(folder, file, quiet) {
  mkdirSync(folder, { recursive: true });
  // Under a name of its own first: another process that builds at the same time must never see half a binary.
  const unfinished = `${file}.${process.pid}`;
  const args = ['build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', unfinished, '.'];
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' };
  const { error, status, stderr } = spawnSync('go', args, {
    cwd: here,
    env,
    encoding: 'utf8',
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'pipe'],
  });
  if (error !== undefined || status !== 0) {
    const said = (error?.message ?? stderr).trim().split('\n').slice(-20).join('\n');
    return { ok: false, message: `'go ${args.join(' ')}' in test/integration/collector failed:\n${said}` };
  }
  renameSync(unfinished, file);
  return { ok: true, file };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = collectorBinary({ quiet: false });
  if (built.ok) console.log(built.file);
  else {
    console.error(built.message);
    process.exitCode = 1;
  }
}
