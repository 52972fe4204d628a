import { afterEach, describe, expect, it, vi } from 'vitest';
import { AUTHORITY, STRANGER, secrets } from '../../test/secrets.js';
import type { SecurityOptions } from '../config/types.js';
import { createGuard } from './guard.js';
import type { Guard, GuardOptions } from './guard.js';

const guards: Guard[] = [];
afterEach(() => {
  for (const guard of guards.splice(0)) guard.close();
});

function guard(security: SecurityOptions, more: Partial<GuardOptions> = {}) {
  const told: Parameters<GuardOptions['told']>[0][] = [];
  const made = createGuard({ security, told: (outcome) => told.push(outcome), everyMs: 10, ...more });
  guards.push(made);
  return { guard: made, told };
}

describe('check', () => {
  it('lets everybody through where no token is asked for', () => {
    const { guard: open } = guard({});
    expect([open.check(undefined), open.check('Bearer x'), open.isOpen]).toEqual(['allowed', 'allowed', true]);
  });

  it('tells a missing token from an unknown one, and both from one that is for elsewhere', () => {
    const { guard: admin } = guard({ tokens: ['a-token'] });
    const { guard: ingest } = guard({ tokens: ['one', 'two'] }, { elsewhere: () => admin });
    const headers = [undefined, 'Basic one', 'Bearer three', 'Bearer a-token', 'Bearer one', 'Bearer two'];
    expect(headers.map((header) => ingest.check(header))).toEqual([
      'missing',
      'missing',
      'unknown',
      'elsewhere',
      'allowed',
      'allowed',
    ]);
    expect(ingest.isOpen).toBe(false);
  });
});

describe('files', () => {
  it('are read again when they change: a token is rotated by adding the new and removing the old', async () => {
    const files = secrets();
    const tokenFile = files.write('tokens', 'old\n');
    const { guard: ingest, told } = guard({ tokenFile });
    files.write('tokens', 'old\nnew\n');
    await vi.waitFor(() => expect(told).toHaveLength(1));
    expect([ingest.check('Bearer old'), ingest.check('Bearer new')]).toEqual(['allowed', 'allowed']);
    files.write('tokens', 'new\n');
    await vi.waitFor(() => expect(told).toHaveLength(2));
    expect([ingest.check('Bearer old'), ingest.check('Bearer new')]).toEqual(['unknown', 'allowed']);
    expect(told).toEqual([{ ok: true }, { ok: true }]);
  });

  it('that cannot be used leave in force what was before, are told once, and are taken up when they can', async () => {
    const files = secrets();
    const first = AUTHORITY.issue('first');
    const second = AUTHORITY.issue('second');
    const { guard: ingest, told } = guard({ ...files.tls(first), tokenFile: files.write('tokens', 'old\n') });
    const renewed: string[] = [];
    ingest.tls?.onRenewed(({ cert }) => renewed.push(String(cert)));
    // Half of a renewal: the certificate is the new one, the key still the old one.
    files.write('tls.crt', second.cert);
    files.write('tokens', '# none\n');
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(0));
    ingest.reload();
    const last = told.at(-1)!;
    expect(last.ok ? [] : last.problems.map(({ option, message }) => `${option}: ${message}`)).toEqual([
      expect.stringMatching(/^tokenFile: .*tokens has no token/),
      expect.stringMatching(/^tlsKey: .*tls\.key is not the key of .*tls\.crt/),
    ]);
    expect(ingest.check('Bearer old')).toBe('allowed');
    expect(String(ingest.tls?.material.cert)).toBe(first.cert);
    expect(renewed).toEqual([]);
    files.write('tokens', 'new\n');
    files.write('tls.key', second.key);
    await vi.waitFor(() => expect(renewed).toEqual([second.cert]));
    expect(ingest.check('Bearer new')).toBe('allowed');
    expect(told.at(-1)).toEqual({ ok: true });
  });

  it('that vanish change nothing', async () => {
    const files = secrets();
    const tokenFile = files.write('tokens', 'old\n');
    const { guard: ingest, told } = guard({ tokenFile });
    const { rmSync } = await import('node:fs');
    rmSync(tokenFile);
    await vi.waitFor(() => expect(told).toHaveLength(1));
    expect(told[0]).toMatchObject({ ok: false, problems: [{ option: 'tokenFile' }] });
    expect(ingest.check('Bearer old')).toBe('allowed');
    expect(ingest.check(undefined)).toBe('missing');
  });

  it('that cannot be used at the start open nothing', () => {
    const files = secrets();
    expect(() => guard({ tokenFile: files.file('nowhere') })).toThrow(/tokenFile: cannot read .*nowhere \(ENOENT\)/);
    const { cert } = AUTHORITY.issue('one');
    const { key } = STRANGER.issue('another');
    expect(() => guard(files.tls({ cert, key }))).toThrow(/tlsKey: .*is not the key of/);
    expect(() => guard(files.tls({ cert: 'no PEM', key }))).toThrow(/tlsCert: .*no PEM file/);
    expect(() => guard({ ...files.tls(AUTHORITY.issue('a')), clientCa: files.write('ca', 'x') })).toThrow(/clientCa: /);
  });
});
