import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../../packages/instrumentation/dist', import.meta.url));
const sources = path.resolve(dist, '../src');
let checked = false;

/**
 * `register` runs the CommonJS build, which `tsc -b` does not make: says so where that one is older than the sources it was
 * made from, so that no test runs yesterday's code.
 *
 * @throws Error that names what to run.
 */
export function checkBuild(): void {
  if (checked) return;
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const below = path.relative(dist, file);
    if (!file.endsWith('.js') || below.startsWith('cjs') || below === 'register.js') continue;
    // Of a source that was moved or removed, the output stays behind.
    if (!existsSync(path.join(sources, below.replace(/\.js$/, '.ts')))) continue;
    const required = statSync(path.join(dist, 'cjs', below), { throwIfNoEntry: false });
    if (required === undefined || required.mtimeMs < statSync(file).mtimeMs) {
      throw new Error(`packages/instrumentation/dist/cjs/${below} is older than dist/${below}: node scripts/build.mjs`);
    }
  }
  checked = true;
}
