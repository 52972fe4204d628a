// Compiles every package: ESM by project references (incremental), then CommonJS for the packages that run in users'
// processes. The CommonJS pass is skipped while its output is newer than the ESM build it mirrors.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const dual = ['semconv', 'contracts', 'instrumentation'];

function compile(args) {
  const done = spawnSync(process.execPath, [tsc, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

compile(['-b']);
for (const name of dual) {
  const dist = path.join(root, 'packages', name, 'dist');
  const marker = path.join(dist, 'cjs', 'package.json');
  const esm = path.join(dist, '.tsbuildinfo');
  if (existsSync(marker) && existsSync(esm) && statSync(marker).mtimeMs >= statSync(esm).mtimeMs) continue;
  compile(['-p', `packages/${name}/tsconfig.cjs.json`]);
  mkdirSync(path.dirname(marker), { recursive: true });
  writeFileSync(marker, '{ "type": "commonjs" }\n');
}
