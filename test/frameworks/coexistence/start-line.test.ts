import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REGISTER } from '../run-app.js';
import { NODES } from './nodes.js';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'seamtrace-start-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A package that can be imported and required and does nothing. */
function install(app: string, name: string, version: string): void {
  const place = path.join(folder, app, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name, version, main: 'index.js' }));
  writeFileSync(path.join(place, 'index.js'), 'exports.Agent = class {};\n');
}

function application(name: string, main = ''): string {
  mkdirSync(path.join(folder, name), { recursive: true });
  const file = path.join(folder, name, 'app.mjs');
  writeFileSync(file, `${main}\nconsole.log('ran');\n`);
  return file;
}

function start(file: string, env: Record<string, string> = {}, node = process.execPath, cwd = path.dirname(file)) {
  const inherited = Object.entries(process.env).filter(([key]) => !/^(OTEL|SEAMTRACE|VITEST|NODE_)/.test(key));
  const done = spawnSync(node, ['--import', REGISTER, file], {
    cwd,
    env: { ...Object.fromEntries(inherited), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ...env },
    encoding: 'utf8',
  });
  expect(done.status).toBe(0);
  expect(done.stdout).toBe('ran\n');
  return done.stderr;
}

describe('the line at start', () => {
  test.each(NODES)('%s: what is hooked, what is not supported, and the contract file', (_, node) => {
    const app = application('desk');
    install('desk', '@openai/agents', '0.20.0');
    install('desk', '@openai/agents-core', '0.20.0');
    install('desk', '@voltagent/core', '2.10.0');
    install('desk', 'crewai', '1.2.0');
    const route = { from: 'a', to: 'b', version: '1', required: ['x'] };
    const contracts = JSON.stringify({ version: 1, routes: { r: route, s: { ...route, to: 'c' } } });
    writeFileSync(path.join(folder, 'desk', 'seamtrace.contracts.json'), contracts);
    expect(start(app, {}, node)).toBe(
      'seamtrace 0.1.0: hooks @openai/agents 0.20.0; found but not supported: @voltagent/core 2.10.0, crewai 1.2.0; contracts ./seamtrace.contracts.json (2 routes)\n',
    );
  });

  test('a version that was never tried is found and not supported', () => {
    const app = application('old');
    install('old', '@openai/agents', '0.2.1');
    install('old', '@openai/agents-core', '0.2.1');
    expect(start(app)).toMatch(
      /^seamtrace 0\.1\.0: found no agent framework that it hooks in node_modules from .*old.*; found but not supported: @openai\/agents 0\.2\.1 \(supported: @openai\/agents-core >=0\.3\.0 <1\); no contract file\n$/,
    );
  });

  test('nothing installed: where it was looked', () => {
    const app = application('bare');
    expect(start(app)).toBe(
      `seamtrace 0.1.0: found no agent framework that it hooks in node_modules from ${app} or ${path.dirname(app)}; no contract file\n`,
    );
  });

  test('the application is found by its main module, also from another working directory', () => {
    application('elsewhere');
    expect(start(path.join(folder, 'desk', 'app.mjs'), {}, process.execPath, path.join(folder, 'elsewhere'))).toMatch(
      /hooks @openai\/agents 0\.20\.0; .*no contract file/,
    );
  });

  test('a package that only its user can see is found beside it (pnpm)', () => {
    const app = application('pnpm');
    install('pnpm/store/a', '@openai/agents', '0.20.0');
    install('pnpm/store/a', '@openai/agents-core', '0.20.0');
    mkdirSync(path.join(folder, 'pnpm/node_modules/@openai'), { recursive: true });
    symlinkSync(
      path.join(folder, 'pnpm/store/a/node_modules/@openai/agents'),
      path.join(folder, 'pnpm/node_modules/@openai/agents'),
    );
    expect(start(app)).toContain('hooks @openai/agents 0.20.0;');
  });

  test.each([
    [{ OTEL_TRACES_EXPORTER: 'none' }, /; exports nothing \(OTEL_TRACES_EXPORTER=none\)\n$/],
    [{ OTEL_SDK_DISABLED: 'true' }, /; exports nothing \(OTEL_SDK_DISABLED\)\n$/],
    [{ SEAMTRACE_FRAMEWORKS: '-openai-agents' }, /^seamtrace 0\.1\.0: found no agent framework that it hooks/],
    [{ SEAMTRACE_FRAMEWORKS: 'openai-agents, @mastra/core' }, /^seamtrace 0\.1\.0: hooks @openai\/agents 0\.20\.0;/],
    [
      { SEAMTRACE_FRAMEWORKS: 'autogen' },
      /^seamtrace: SEAMTRACE_FRAMEWORKS names autogen, which is none of .*openai-agents.*\nseamtrace 0\.1\.0: hooks @openai\/agents 0\.20\.0;/,
    ],
    [{ SEAMTRACE_LOG: 'error' }, /^$/],
    [{ SEAMTRACE_LOG: 'off', OTEL_TRACES_EXPORTER: 'zipkin' }, /^$/],
    [
      { SEAMTRACE_LOG: 'loud' },
      /^seamtrace: SEAMTRACE_LOG="loud" is none of off, error, info; taken as info\nseamtrace 0\.1\.0: hooks/,
    ],
    [{ SEAMTRACE_DISABLED: '1' }, /^$/],
    [{ SEAMTRACE_CONTRACTS: '/nowhere.yaml' }, /\n.*; contracts \/nowhere\.yaml \(not usable\)\n$/],
  ])('%o', (env, stderr) => {
    expect(start(path.join(folder, 'desk', 'app.mjs'), env as unknown as Record<string, string>)).toMatch(stderr);
  });
});

describe.each(NODES)('%s: a framework that the application itself does not have', (_, node) => {
  const real = fileURLToPath(new URL('otel2/node_modules', import.meta.url));
  const body = `
    const billing = new sdk.Agent({ name: 'billing', instructions: 'x' });
    const triage = new sdk.Agent({ name: 'triage', instructions: 'x', handoffs: [billing] });
    const call = testing.functionCall('transfer_to_billing', {}, { callId: 'c' });
    const model = new testing.ScriptedModel([[call], [testing.assistantMessage('done')]]);
    await new sdk.Runner({ model, tracingDisabled: true }).run(triage, 'hi', { context: { a: 1 } });`;
  const sources = {
    'index.mjs': `import * as sdk from '@openai/agents-core';\nimport * as testing from '@openai/agents-core/testing';${body}`,
    'index.cjs': `const sdk = require('@openai/agents-core');\nconst testing = require('@openai/agents-core/testing');
      module.exports = (async () => {${body}})();`,
  };

  test.each(Object.keys(sources))('is hooked as it is loaded below a plugin: %s', (file) => {
    const plugin = path.join(folder, `${path.basename(node)}-${path.extname(file)}`, 'node_modules', 'plugin');
    mkdirSync(plugin, { recursive: true });
    symlinkSync(real, path.join(plugin, 'node_modules'));
    writeFileSync(path.join(plugin, 'package.json'), JSON.stringify({ name: 'plugin', exports: `./${file}` }));
    writeFileSync(path.join(plugin, file), sources[file as keyof typeof sources]);
    const app = path.resolve(plugin, '../../app.mjs');
    writeFileSync(app, `import * as plugin from 'plugin';\nawait plugin.default;\nconsole.log('ran');\n`);
    const done = spawnSync(node, ['--import', REGISTER, app], {
      cwd: path.dirname(app),
      env: { PATH: process.env['PATH'], SEAMTRACE_LOG: 'info', OTEL_TRACES_EXPORTER: 'console' },
      encoding: 'utf8',
    });
    rmSync(path.join(plugin, 'node_modules'));
    expect(done.stderr).toMatch(/^seamtrace 0\.1\.0: found no agent framework that it hooks.*\n$/);
    expect([...done.stdout.matchAll(/^ {2}name: '(.*)',$/gm)].map(([, name]) => name)).toEqual([
      'invoke_agent triage',
      'handoff billing',
      'invoke_agent billing',
    ]);
  });
});
