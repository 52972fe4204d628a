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
    expect(result.ok && result.config).toMatchObject({ ...ANALYZER_DEFAULTS, durability: 'none' });
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

  it('refuses what does not exist yet instead of going without it', () => {
    const [data, grpc] = problems({ data: '/var/lib/seamtrace', otlpGrpc: { host: '127.0.0.1', port: 4317 } });
    expect(data).toMatch(/^data: .*does not exist in this version.*durability=none/);
    expect(grpc).toMatch(/^otlpGrpc: .*does not exist in this version.*HTTP/);
  });

  it('adds the path of the signal to a base URL only', () => {
    const endpoint = (verdictEndpoint: string) => {
      const result = resolveAnalyzerConfig({ verdictEndpoint });
      return result.ok && result.config.verdictEndpoint;
    };
    expect(endpoint('http://collector:4318')).toBe('http://collector:4318/v1/logs');
    expect(endpoint('https://logs.example/otlp/v1/logs?team=a')).toBe('https://logs.example/otlp/v1/logs?team=a');
  });

  it('refuses one address for both listeners, unless the system picks the ports', () => {
    const same = { host: '127.0.0.1', port: 5000 };
    expect(problems({ otlpHttp: same, admin: same })).toHaveLength(1);
    expect(problems({ otlpHttp: { ...same, port: 0 }, admin: { ...same, port: 0 } })).toEqual([]);
  });
});

it.each(['ftp://user:hunter2@host/x?token=hunter3', 'user:hunter2@host', 'http:/\u0000/u:hunter2@h?hunter3'])(
  'does not say the credentials of a verdict endpoint that it refuses: %s',
  (verdictEndpoint) => {
    const resolved = resolveAnalyzerConfig({ verdictEndpoint: `${verdictEndpoint} \u0000` });
    expect(resolved.ok ? 'taken' : JSON.stringify(resolved.problems)).toMatch(/verdictEndpoint(?!.*hunter)/);
  },
);
