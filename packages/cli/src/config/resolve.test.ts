import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANALYZER_DEFAULTS } from '@seamtrace/analyzer';
import { DEFAULT_THRESHOLDS } from '@seamtrace/core';
import { memoryIo } from '../../test/memory-io.js';
import { analyzerOptions } from '../serve/options.js';
import { type Flags, resolveSettings } from './resolve.js';
import { thresholdsOf } from './threshold-settings.js';

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
    const { otlpGrpc, ...defaults } = ANALYZER_DEFAULTS;
    expect(settings().otlpGrpc).toEqual(otlpGrpc);
    const nobody = {
      tokens: undefined,
      tokenFile: undefined,
      tlsCert: undefined,
      tlsKey: undefined,
      clientCa: undefined,
    };
    expect(analyzerOptions(settings())).toEqual({
      ...defaults,
      otlpGrpc: undefined,
      data: 'seamtrace-data',
      durability: 'process',
      thresholds: DEFAULT_THRESHOLDS,
      ingestSecurity: nobody,
      adminSecurity: nobody,
      verdictEndpoint: undefined,
    });
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
      { admin: '127.0.0.1:9', verdictEndpoint: 'collector:4318', otlpGrpc: '4317', durability: 'disk' },
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
      '--durability',
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

  it('tells an address of gRPC that somebody asked for from the default, and off from both', () => {
    expect(analyzerOptions(settings()).otlpGrpc).toBeUndefined();
    expect(analyzerOptions(settings({ otlpGrpc: '127.0.0.1:4317' })).otlpGrpc).toEqual(ANALYZER_DEFAULTS.otlpGrpc);
    expect(analyzerOptions(settings({}, { SEAMTRACE_OTLP_GRPC: 'off' })).otlpGrpc).toBe('off');
  });

  it('keeps no journal without durability', () => {
    expect(analyzerOptions(settings({ durability: 'none' }))).toMatchObject({ data: undefined, durability: 'none' });
  });

  it('repeats no token of which it complains', () => {
    const resolved = resolve({}, { SEAMTRACE_INGEST_TOKEN: 'two words', SEAMTRACE_ADMIN_TOKEN: 'hunter2,' });
    expect(resolved.ok ? [] : resolved.problems.map(({ where }) => where)).toEqual([
      'SEAMTRACE_INGEST_TOKEN',
      'SEAMTRACE_ADMIN_TOKEN',
    ]);
    expect(JSON.stringify(resolved)).not.toMatch(/two words|hunter2/);
  });

  it('takes thresholds from file, environment and repeated flags', () => {
    writeFileSync(
      path.join(cwd, 'seamtrace.config.yaml'),
      'thresholds:\n  loop_rounds: 3\n  context_dump_share: 0.1\n  inlined_content_bytes: 1\n',
    );
    const env = { SEAMTRACE_THRESHOLDS_CONTEXT_DUMP_SHARE: '0.2', SEAMTRACE_THRESHOLDS_INLINED_CONTENT_BYTES: '2' };
    const threshold = ['inlined_content_bytes=7', 'inlined_content_bytes=8'];
    expect(thresholdsOf(settings({ threshold }, env))).toEqual({
      ...DEFAULT_THRESHOLDS,
      loopRounds: 3,
      contextDumpShare: 0.2,
      inlinedContentBytes: 8,
    });
  });

  it('names every threshold that is unknown, without a value or out of its range', () => {
    writeFileSync(path.join(cwd, 'seamtrace.config.yaml'), 'thresholds:\n  loops: 3\n  loop_rounds: 1\n');
    const threshold = ['loops=3', 'loop_rounds', 'context_dump_share=1.5', 'envelope_growth_hops=2.5', '=1'];
    const resolved = resolve({ threshold });
    expect(resolved.ok ? [] : resolved.problems.map(({ where, message }) => [where, message.slice(0, 40)])).toEqual([
      ['seamtrace.config.yaml:2:3', 'unknown setting thresholds.loops; known '],
      ['--threshold loops', 'unknown threshold; known are context_dum'],
      ['--threshold loop_rounds', 'has no value; write --threshold NAME=NUM'],
      ['--threshold ', 'unknown threshold; known are context_dum'],
      ['seamtrace.config.yaml:3:3', 'thresholds.loop_rounds 1 is not a whole '],
      ['--threshold context_dump_share', '"1.5" is not a number from 0 to 1'],
      ['--threshold envelope_growth_hops', '"2.5" is not a whole number from 2 up'],
    ]);
  });
});
