import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANALYZER_DEFAULTS } from '@seamtrace/analyzer';
import { memoryIo } from '../../test/memory-io.js';
import { analyzerOptions } from '../serve/options.js';
import { type Flags, resolveSettings } from './resolve.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'seamtrace-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function resolve(flags: Flags = {}, env: Record<string, string> = {}) {
  return resolveSettings(memoryIo({ cwd, env }), flags);
}

function settings(flags: Flags = {}, env: Record<string, string> = {}) {
  const resolved = resolve(flags, env);
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.problems));
  return resolved.settings;
}

describe('resolveSettings', () => {
  it('has the defaults of the wire contract and of the analyzer', () => {
    const { otlpHttp, admin, settleSeconds, deadlineSeconds, contracts, gateUndecided } = settings();
    expect(otlpHttp).toEqual({ host: '127.0.0.1', port: 4318 });
    expect(admin).toEqual({ host: '127.0.0.1', port: 9464 });
    expect([settleSeconds, deadlineSeconds, contracts, gateUndecided]).toEqual([5, 600, undefined, 'fail']);
    expect(analyzerOptions(settings())).toEqual({ ...ANALYZER_DEFAULTS, verdictEndpoint: undefined });
  });

  it('lets file, environment and flags win in this order', () => {
    writeFileSync(path.join(cwd, 'seamtrace.config.yaml'), 'admin: 127.0.0.1:1\notlp_http: 127.0.0.1:1\nsettle_s: 1\n');
    const env = { SEAMTRACE_ADMIN: '127.0.0.1:2', SEAMTRACE_OTLP_HTTP: '127.0.0.1:2', SEAMTRACE_DEADLINE_S: '' };
    const { otlpHttp, admin, settleSeconds, deadlineSeconds } = settings({ admin: '[::1]:3' }, env);
    expect(admin).toEqual({ host: '::1', port: 3 });
    expect(otlpHttp.port).toBe(2);
    expect(settleSeconds).toBe(1);
    expect(deadlineSeconds).toBe(600);
  });

  it('takes paths in the file from the folder of the file, others from the working directory', () => {
    mkdirSync(path.join(cwd, 'etc'));
    writeFileSync(path.join(cwd, 'etc/c.yaml'), 'contracts: agents.yaml\n');
    expect(settings({ config: 'etc/c.yaml' }).contracts).toBe(path.join(cwd, 'etc/agents.yaml'));
    expect(settings({}, { SEAMTRACE_CONFIG: 'etc/c.yaml' }).contracts).toBe(path.join(cwd, 'etc/agents.yaml'));
    expect(settings({ config: 'etc/c.yaml', contracts: 'x.yaml' }).contracts).toBe(path.join(cwd, 'x.yaml'));
  });

  it('reports the problems of all layers at once, overridden values included', () => {
    writeFileSync(path.join(cwd, 'seamtrace.config.yaml'), 'admin: 9464\nsettle: 3\nmax_pending: 0.5\n');
    const resolved = resolve(
      { admin: '127.0.0.1:9', verdictEndpoint: 'collector:4318', otlpGrpc: '127.0.0.1:4317', data: '/var' },
      { SEAMTRACE_GATE_UNDECIDED: 'maybe', SEAMTRACE_SETTLE_S: '-1' },
    );
    expect(resolved.ok).toBe(false);
    if (resolved.ok) return;
    expect(resolved.problems.map(({ where }) => where)).toEqual([
      'seamtrace.config.yaml:2:1',
      'seamtrace.config.yaml:1:1',
      'seamtrace.config.yaml:3:1',
      'SEAMTRACE_SETTLE_S',
      'SEAMTRACE_GATE_UNDECIDED',
      '--otlp-grpc',
      '--data',
      '--verdict-endpoint',
    ]);
    for (const { message } of resolved.problems) expect(message).not.toMatch(/undefined|\[object/);
  });

  it('names a configuration file that cannot be read, and does not mind that the default one is not there', () => {
    expect(resolve().ok).toBe(true);
    expect(resolve({ config: 'nowhere.yaml' })).toEqual({
      ok: false,
      problems: [{ where: 'nowhere.yaml', message: 'cannot read the configuration file (ENOENT)' }],
    });
  });

  it.each(['4318', 'localhost', '127.0.0.1:65536', '::1:4318', ':4318', 'a b:1', ''])(
    'refuses %j as an address',
    (value) => {
      const flags = { otlpHttp: value };
      expect(resolve(flags).ok).toBe(false);
    },
  );
});
