import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcomeOf, OURS, VERDICTS } from './verdict-of.js';

// OpenTelemetry lets no newer copy of its API use what an older one registered, and says nothing about it.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const newer = fileURLToPath(new URL('otel3/node_modules/@opentelemetry/api', import.meta.url));
let folder: string;
let register: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'seamtrace-api-')));
  const modules = path.join(folder, 'node_modules');
  const ours = path.join(modules, '@seamtrace/instrumentation');
  mkdirSync(ours, { recursive: true });
  mkdirSync(path.join(modules, '@opentelemetry'));
  cpSync(path.join(root, 'packages/instrumentation/dist'), path.join(ours, 'dist'), { recursive: true });
  cpSync(path.join(root, 'packages/instrumentation/package.json'), path.join(ours, 'package.json'));
  for (const name of ['contracts', 'semconv']) {
    symlinkSync(path.join(root, 'packages', name), path.join(modules, '@seamtrace', name));
  }
  for (const name of readdirSync(path.join(root, 'node_modules/@opentelemetry'))) {
    const from = name === 'api' ? newer : path.join(root, 'node_modules/@opentelemetry', name);
    symlinkSync(from, path.join(modules, '@opentelemetry', name));
  }
  register = path.join(ours, 'dist/register.js');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a newer copy of ours: one line, the application as it was, and the verdicts all the same', async () => {
  const app = 'coexistence/otel2/app.mjs';
  const plain = await outcomeOf({ app, args: ['node-sdk', 'first'], instrumented: false });
  const result = await outcomeOf({
    app,
    args: ['node-sdk', 'first'],
    instrumented: false,
    nodeArgs: ['--import', register],
    env: { OTEL_LOG_LEVEL: 'error' },
  });
  expect(result.stderr).toMatch(
    /^seamtrace: tracing is registered through @opentelemetry\/api 1\.9\.1, and a newer copy may not use it: 1\.10\.0 of seamtrace \(.*\); spans made there are lost or go another way\. Install one version .*\n$/,
  );
  expect(result.theirs).toEqual(plain.theirs);
  expect(result.ours).toEqual(OURS);
  expect(result.verdicts).toEqual(VERDICTS);
});
