import { describe, expect, it } from 'vitest';
import { readHttpUrl } from './parsers.js';

describe('readHttpUrl', () => {
  it('takes http and https URLs as they are', () => {
    expect(readHttpUrl('https://user:pass@logs.example/v1/logs?token=t')).toEqual({
      ok: true,
      value: 'https://user:pass@logs.example/v1/logs?token=t',
    });
  });

  it('repeats no credential of what it refuses', () => {
    const refused = JSON.stringify(readHttpUrl('ftp://user:s3cret@logs.example/?token=abc'));
    expect(refused).toContain('logs.example');
    expect(refused).not.toMatch(/s3cret|abc/);
  });
});
