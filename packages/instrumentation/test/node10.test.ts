import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));

// `moduleResolution node10` knows no `exports`: it goes by `main` and `types` alone.
it.each(['instrumentation', 'contracts', 'semconv'])('TypeScript finds the types of %s under node10 too', (name) => {
  mkdirSync(path.join(here, '../dist'), { recursive: true });
  const folder = mkdtempSync(path.join(here, '../dist/node10-'));
  try {
    const file = path.join(folder, 'app.ts');
    const text = `import * as all from '@seamtrace/${name}';\nexport const wrong: number = all;\n`;
    writeFileSync(file, text);
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const flags =
      '--noEmit --strict --skipLibCheck --target es2022 --module commonjs --moduleResolution node10 --pretty false';
    const args = [tsc, ...flags.split(' '), '--ignoreConfig', '--ignoreDeprecations', '6.0', '--types', 'node', file];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    // The one error is the assignment: the module was found, and is not `any`.
    expect(stdout.match(/error TS\d+/g)).toEqual(['error TS2322']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
