import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const dist = (file: string): string => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

/** What a process of its own printed. */
export interface ChildOutput {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** With `--import @seamtrace/instrumentation/register`, and nothing exported. */
  readonly register?: boolean;
  readonly cwd: string;
}

/**
 * Runs a script on the built package, in which `createHandoffs` and `require` are known, with nothing of this process's
 * settings.
 */
export function runScript(script: string, { env = {}, register = false, cwd }: ChildSettings): ChildOutput {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(OTEL|SEAMTRACE|VITEST|NODE_)/.test(name) && name !== 'NODE_ENV',
  );
  const head = `import { createRequire } from 'node:module';
const require = createRequire(${JSON.stringify(dist('index.js'))});
const { createHandoffs } = await import(${JSON.stringify(pathToFileURL(dist('index.js')).href)});\n`;
  const hook = register ? ['--import', dist('register.js')] : [];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...hook, '--input-type=module', '-e', head + script],
    {
      cwd,
      encoding: 'utf8',
      env: { ...Object.fromEntries(inherited), OTEL_TRACES_EXPORTER: 'none', SEAMTRACE_LOG: 'error', ...env },
    },
  );
  return { code: status, stdout, stderr };
}

/** Runs work with a folder that is gone afterwards. */
export function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-child-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
