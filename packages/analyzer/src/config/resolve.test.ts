import { describe, expect, it } from 'vitest';
import { ANALYZER_DEFAULTS } from './defaults.js';
import { resolveAnalyzerConfig } from './resolve.js';
import type { AnalyzerOptions } from './types.js';

function problems(options: AnalyzerOptions): readonly string[] {
  const result = resolveAnalyzerConfig(options);
  return result.ok ? [] : result.problems.map(({ where, message }) => `${where}: ${message}`);
}

describe('resolveAnalyzerConfig', () => {
  it('fills in every default, and the result cannot be changed', () => {
    const result = resolveAnalyzerConfig({ settleMs: undefined });
    expect(result.ok && result.config).toMatchObject({
      ...ANALYZER_DEFAULTS,
      durability: 'none',
      ingestSecurity: {},
      adminSecurity: {},
    });
    expect(result.ok && Object.isFrozen(result.config)).toBe(true);
  });

  it('names all problems at once', () => {
    const found = problems({
      settleMs: -1,
      maxPending: 1.5,
      maxBodyBytes: Number.NaN,
      otlpHttp: { host: '', port: 4318 },
      admin: { host: '127.0.0.1', port: 70_000 },
      verdictEndpoint: 'localhost:4318',
      ...({ maxPendng: 3 } as object),
    });
    expect(found.map((problem) => problem.split(':')[0])).toEqual([
      'maxPendng',
      'otlpHttp',
      'admin',
      'verdictEndpoint',
      'settleMs',
      'maxPending',
      'maxBodyBytes',
    ]);
    expect(found[3]).toContain("'localhost:4318'");
    expect(found[4]).toBe('settleMs: must be an integer from 0 to 86400000, not -1');
  });

  it('takes the ends of a range', () => {
    expect(problems({ settleMs: 0, deadlineMs: 1, maxBodyBytes: 1024, maxLabelValues: 1 })).toEqual([]);
    expect(problems({ deadlineMs: 0, maxBodyBytes: 1023, maxLabelValues: 0 })).toHaveLength(3);
  });

  it('takes gRPC off, by default without insisting on it, and by name for certain', () => {
    const grpc = (otlpGrpc: AnalyzerOptions['otlpGrpc']) => {
      const resolved = resolveAnalyzerConfig({ otlpGrpc });
      return resolved.ok && resolved.config.otlpGrpc;
    };
    expect(grpc(undefined)).toEqual({ ...ANALYZER_DEFAULTS.otlpGrpc, required: false });
    expect(grpc(ANALYZER_DEFAULTS.otlpGrpc)).toMatchObject({ required: true });
    expect(grpc('off')).toBeUndefined();
    expect(problems({ otlpGrpc: 'on' as 'off' })).toHaveLength(1);
  });

  it('wants a directory for what is to survive, and keeps none for what is not', () => {
    const journal = (options: AnalyzerOptions) => {
      const resolved = resolveAnalyzerConfig(options);
      return resolved.ok && [resolved.config.durability, resolved.config.data];
    };
    expect(journal({})).toEqual(['none', undefined]);
    expect(journal({ data: 'd' })).toEqual(['process', 'd']);
    expect(journal({ data: 'd', durability: 'none' })).toEqual(['none', undefined]);
    expect(problems({ durability: 'power' })[0]).toMatch(/^data: must name a directory/);
    expect(problems({ durability: 'disk' as 'none' })).toContain(
      "durability: must be one of none, process, power, not 'disk'",
    );
  });

  it('names every threshold that is unknown or out of its range', () => {
    expect(
      problems({ thresholds: { contextDumpShare: 0, loopRounds: 2, envelopeGrowthHops: undefined } as object }),
    ).toEqual([]);
    expect(
      problems({ thresholds: { contextDumpShare: 1.1, loopRounds: 1, loops: 1, inlinedContentBytes: 0.5 } as object }),
    ).toEqual([
      'thresholds.contextDumpShare: must be a number from 0 to 1, not 1.1',
      'thresholds.loopRounds: must be an integer from 2 up, not 1',
      expect.stringMatching(/^thresholds\.loops: unknown threshold; known are contextDumpShare, /),
      'thresholds.inlinedContentBytes: must be an integer from 0 up, not 0.5',
    ]);
  });

  it('adds the path of the signal to a base URL only', () => {
    const endpoint = (verdictEndpoint: string) => {
      const result = resolveAnalyzerConfig({ verdictEndpoint });
      return result.ok && result.config.verdictEndpoint;
    };
    expect(endpoint('http://collector:4318')).toBe('http://collector:4318/v1/logs');
    expect(endpoint('https://logs.example/otlp/v1/logs?team=a')).toBe('https://logs.example/otlp/v1/logs?team=a');
  });

  it('refuses one address for two listeners, unless the system picks the ports', () => {
    const same = { host: '127.0.0.1', port: 5000 };
    expect(problems({ otlpHttp: same, admin: same })).toHaveLength(1);
    expect(problems({ otlpHttp: same, otlpGrpc: same, admin: same })).toEqual([
      'otlpGrpc: 127.0.0.1:5000 is also the address for OTLP over HTTP; give one of them another port',
      'admin: 127.0.0.1:5000 is also the address for OTLP over HTTP; give one of them another port',
    ]);
    const free = { ...same, port: 0 };
    expect(problems({ otlpHttp: free, otlpGrpc: free, admin: free })).toEqual([]);
  });
});

it.each(['ftp://user:hunter2@host/x?token=hunter3', 'user:hunter2@host', 'http:/\u0000/u:hunter2@h?hunter3'])(
  'does not say the credentials of a verdict endpoint that it refuses: %s',
  (verdictEndpoint) => {
    const resolved = resolveAnalyzerConfig({ verdictEndpoint: `${verdictEndpoint} \u0000` });
    expect(resolved.ok ? 'taken' : JSON.stringify(resolved.problems)).toMatch(/verdictEndpoint(?!.*hunter)/);
  },
);
