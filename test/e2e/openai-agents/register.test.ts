import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Collector, startCollector } from '@seamtrace/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { APPS, runApp } from './child.js';

let collector: Collector;
let folder: string;
/** What the app prints without us: its answer, and how many listen to signals, the SDK among them. */
let plain: string;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());
beforeAll(async () => {
  plain = (await runApp(['one-handoff.mjs'], { instrumented: false })).stdout;
  expect(plain).toMatch(/^done\n\d+\n$/);
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'seamtrace-register-')));
});
afterAll(() => rm(folder, { recursive: true }));

const names = () => collector.spans.map(({ name }) => name).sort();
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runApp(args, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env } });
const ALL = ['handoff billing', 'invoke_agent billing', 'invoke_agent triage'];

describe('every way to end an app exports what it did, and changes nothing', () => {
  test.each([
    ['one-handoff.mjs', 'natural', 0],
    ['one-handoff.mjs', 'exit', 3],
    ['one-handoff.mjs', 'stream', 3],
    ['one-handoff.mjs', 'code', 4],
    ['one-handoff.mjs', 'throw', 1],
    ['one-handoff.cjs', 'exit', 3],
  ])('%s %s', async (app, end, code) => {
    const result = await run([app, end]);
    expect(result.code).toBe(code);
    expect(result.stdout).toMatch(end === 'stream' || app.endsWith('.cjs') ? /^done\n$/ : plain);
    if (end !== 'throw') expect(result.stderr).toBe('');
    expect(names()).toEqual(ALL);
  });
});

describe('a collector that is not there', () => {
  test.each(['natural', 'exit'])('%s: one line, and the same exit', async (end) => {
    await collector.close();
    const result = await run(['one-handoff.mjs', end]);
    expect(result.stdout).toBe(plain);
    expect(result.code).toBe(end === 'exit' ? 3 : 0);
    expect(result.stderr).toMatch(/^seamtrace: spans could not be sent to http:\/\/127\.0\.0\.1:\d+\/v1\/traces .*\n$/);
  });

  test('one that takes connections and never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const result = await run(['one-handoff.mjs', 'exit'], { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    silent.close();
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/^seamtrace: spans could not be sent to .*\(no answer in time\).*\n$/);
  });

  test('one that refuses', async () => {
    await collector.close();
    collector = await startCollector({ answer: () => ({ status: 400 }) });
    const result = await run(['one-handoff.mjs', 'exit']);
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/^seamtrace: spans could not be sent to .*\n$/);
  });
});

describe('OTEL_* is obeyed', () => {
  test('service, resource, headers, compression', async () => {
    await run(['one-handoff.mjs'], {
      OTEL_SERVICE_NAME: 'desk',
      OTEL_RESOURCE_ATTRIBUTES: 'team=a,service.name=not-this',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer abc',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    });
    const [request] = collector.requests;
    expect(request?.headers).toMatchObject({ authorization: 'Bearer abc', 'content-encoding': 'gzip' });
    expect(request?.headers['content-type']).toBe('application/x-protobuf');
    const resource = Object.fromEntries(collector.spans[0]?.resource ?? []);
    expect(resource).toMatchObject({ 'service.name': 'desk', team: 'a' });
    expect(Object.keys(resource).filter((key) => key.startsWith('process.') || key.startsWith('host.'))).toEqual([]);
    expect(collector.spans[0]?.scope).toEqual({ name: '@seamtrace/instrumentation', version: '0.1.0' });
  });

  test('http/json', async () => {
    await run(['one-handoff.mjs'], { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    expect(collector.requests[0]?.headers['content-type']).toBe('application/json');
    expect(names()).toEqual(ALL);
  });

  test.each([
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_TRACES_SAMPLER: 'always_off' },
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
    { SEAMTRACE_DISABLED: 'true' },
  ])('%o: nothing is sent, nothing is said', async (env) => {
    const result = await run(['one-handoff.mjs'], env);
    expect(result).toEqual({ code: 0, stdout: plain, stderr: '' });
    expect(collector.requests).toEqual([]);
  });

  test('console', async () => {
    const result = await run(['one-handoff.mjs'], { OTEL_TRACES_EXPORTER: 'console' });
    expect(result.stdout).toContain("name: 'handoff billing'");
    expect(collector.requests).toEqual([]);
  });

  test('a limit of the SDK that cuts evidence makes it incomplete, never a loss', async () => {
    await run(['one-handoff.mjs'], { OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '9' });
    const billing = collector.spans.find(({ name }) => name === 'invoke_agent billing');
    expect(billing?.attributes.get('seamtrace.source.complete')).toBe(false);
    expect(billing?.attributes.get('seamtrace.source.incomplete_reason')).toBe('truncated');
  });

  test.each([
    [
      { OTEL_TRACES_EXPORTER: 'zipkin' },
      /^seamtrace: OTEL_TRACES_EXPORTER names zipkin, .*use otlp, console or none\n$/,
    ],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'smoke' }, /^seamtrace: the OTLP protocol "smoke" is none of .*\n$/],
  ])('%o: one line', async (env, line) => {
    const result = await run(['one-handoff.mjs'], env as unknown as Record<string, string>);
    expect(result.stdout).toBe(plain);
    expect(result.stderr).toMatch(line);
  });
});

describe('the contract file', () => {
  const contract = (enforce: object) =>
    JSON.stringify({
      version: 1,
      agents: { triage: {}, billing: {} },
      routes: {
        to_billing: {
          from: 'triage',
          to: 'billing',
          version: '3',
          required: ['customer_id', 'invoice_id'],
          purpose: 'x',
          reviewed_by: 'y',
          enforce,
          on_violation: 'ask',
        },
      },
    });
  const withFile = async (text: string, args: readonly string[] = []) => {
    const file = path.join(folder, 'contracts.json');
    await writeFile(file, text);
    return run(['one-handoff.mjs', ...args], { SEAMTRACE_CONTRACTS: file });
  };

  test('is read, also from the working directory', async () => {
    const desk = path.join(folder, 'desk');
    await mkdir(desk, { recursive: true });
    await writeFile(path.join(desk, 'seamtrace.contracts.yaml'), contract({}));
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const result = await runApp([path.join(APPS, 'one-handoff.mjs')], { cwd: desk, env });
    expect(result.stderr).toBe('');
    const dispatch = collector.spans.find(({ name }) => name === 'handoff billing');
    expect(dispatch?.attributes.get('seamtrace.handoff.route')).toBe('to_billing');
    expect(dispatch?.attributes.get('seamtrace.contract.version')).toBe('3');
  });

  test('named and missing: one line', async () => {
    const result = await run(['one-handoff.mjs'], { SEAMTRACE_CONTRACTS: '/nowhere/contracts.yaml' });
    expect(result.stdout).toBe(plain);
    expect(result.stderr).toBe(
      'seamtrace: SEAMTRACE_CONTRACTS=/nowhere/contracts.yaml: there is no such file; no contract applies: dispatch sends the whole source, nothing is enforced\n',
    );
    expect(names()).toEqual(ALL);
  });

  test('with faults: one line that counts them and names the first', async () => {
    const result = await withFile('{ "version": 2, "agnts": {}, "routes": { "a": {} } }');
    expect(result.stdout).toBe(plain);
    expect(result.stderr).toMatch(/^seamtrace: SEAMTRACE_CONTRACTS=\S+ has \d+ problems, first \S+:\d+:\d+ .*\n$/);
    expect(names()).toEqual(ALL);
  });

  test('producer enforces: the run rejects with the code, keys, route, version and on_violation', async () => {
    const result = await withFile(contract({ producer: 'enforce' }), ['natural', '{"reason":"x"}']);
    expect(JSON.parse(result.stdout.split('\n')[0] ?? '')).toEqual({
      name: 'HandoffContractError',
      code: 'SEAMTRACE_SOURCE_INCOMPLETE',
      route: 'to_billing',
      version: '3',
      keys: ['invoice_id'],
      onViolation: 'ask',
    });
    const dispatch = collector.spans.find(({ name }) => name === 'handoff billing');
    expect(dispatch?.attributes.get('seamtrace.dispatch.outcome')).toBe('prevented');
    expect(names()).toEqual(['handoff billing', 'invoke_agent triage']);
  });

  test('consumer enforces: the run rejects before the first model call', async () => {
    const result = await withFile(contract({ consumer: 'enforce' }), ['natural', '{"reason":"x"}']);
    expect(JSON.parse(result.stdout.split('\n')[0] ?? '')).toMatchObject({
      code: 'SEAMTRACE_INGEST_REJECTED',
      keys: ['invoice_id'],
    });
    const billing = collector.spans.find(({ name }) => name === 'invoke_agent billing');
    expect(billing?.attributes.get('seamtrace.ingest.outcome')).toBe('rejected');
    expect(billing?.attributes.get('seamtrace.ingest.violations')).toEqual(['/invoice_id required']);
  });

  test.each(['observe', 'warn'])('%s: the run goes on', async (mode) => {
    const result = await withFile(contract({ producer: mode, consumer: mode }), ['natural', '{"reason":"x"}']);
    expect(result.stdout).toBe(plain);
    expect(names()).toEqual(ALL);
    const billing = collector.spans.find(({ name }) => name === 'invoke_agent billing');
    expect(billing?.attributes.get('seamtrace.ingest.outcome')).toBe(mode === 'warn' ? 'warned' : 'accepted');
  });
});

describe('an app with tracing of its own', () => {
  test.each(['before', 'sdk'])('%s: our spans go through it, in its trace, and nothing is sent by us', async (how) => {
    const result = await run(['own-tracing.mjs', 'natural', '{}', how]);
    const own = JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '') as {
      names: string[];
      traces: number;
      said: string[];
    };
    expect(own.said).toEqual([]);
    expect(own.names).toEqual(['own', 'invoke_agent triage', 'handoff billing', 'invoke_agent billing', 'request']);
    expect(own.traces).toBe(2);
    // The first handoff of that file ran before any tracing was set up, so it went our way.
    expect(names()).toEqual(ALL);
    expect(result.stderr).toBe('');
  });

  test('set up after our first run: it takes over without an error', async () => {
    const result = await run(['own-tracing.mjs', 'natural', '{}', 'after']);
    const own = JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '') as { names: string[]; said: string[] };
    expect(own.said).toEqual([]);
    expect(own.names).toEqual(['own', 'invoke_agent triage', 'handoff billing', 'invoke_agent billing', 'request']);
    expect(names()).toEqual([...ALL, ...ALL].sort());
  });
});

test('several copies of the SDK, in both module systems, are each patched once', async () => {
  const modules = path.join(folder, 'copies', 'node_modules');
  const load = createRequire(path.join(APPS, 'x.mjs'));
  const core = path.resolve(path.dirname(load.resolve('@openai/agents-core')), '..');
  const root = path.resolve(core, '../..');
  const inner = path.join(modules, 'plugin');
  for (const place of [modules, path.join(inner, 'node_modules')]) {
    await mkdir(path.join(place, '@openai'), { recursive: true });
    await cp(core, path.join(place, '@openai', 'agents-core'), { recursive: true });
  }
  for (const name of ['openai', 'zod', 'debug', 'ms', '@standard-schema', '@modelcontextprotocol']) {
    await symlink(path.join(root, name), path.join(modules, name), 'dir').catch(() => undefined);
  }
  const body = `
    const billing = new sdk.Agent({ name: 'billing', instructions: 'x' });
    const triage = new sdk.Agent({ name: 'triage', instructions: 'x', handoffs: [billing] });
    const call = testing.functionCall('transfer_to_billing', {}, { callId: 'c' });
    const model = new testing.ScriptedModel([[call], [testing.assistantMessage('done')]]);
    await new sdk.Runner({ model, tracingDisabled: true }).run(triage, 'hi', { context: { a: 1 } });`;
  const imports = `import * as sdk from '@openai/agents-core';\nimport * as testing from '@openai/agents-core/testing';`;
  const requires = `const sdk = require('@openai/agents-core');\nconst testing = require('@openai/agents-core/testing');`;
  await writeFile(path.join(inner, 'package.json'), '{ "name": "plugin", "type": "module", "exports": "./index.mjs" }');
  await writeFile(path.join(inner, 'index.mjs'), `${imports}\n${body}`);
  await writeFile(path.join(folder, 'copies', 'app.cjs'), `${requires}\nmodule.exports = (async () => {${body}})();`);
  const app = path.join(folder, 'copies', 'app.mjs');
  await writeFile(app, `${imports}\nimport 'plugin';\nimport own from './app.cjs';\nawait own;\n${body}`);
  const result = await run([app]);
  // Several copies at once make the SDK itself write to stderr.
  expect(result).toEqual(await runApp([app], { instrumented: false }));
  expect(names()).toEqual([...ALL, ...ALL, ...ALL].sort());
});
