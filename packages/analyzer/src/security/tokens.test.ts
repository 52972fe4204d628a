import { describe, expect, it } from 'vitest';
import { bearerToken, digestTokenLines, digestTokens, isOneOf } from './tokens.js';

const digests = (parsed: ReturnType<typeof digestTokens>) => {
  if (!parsed.ok) throw new Error(`bad: ${parsed.bad.join()}`);
  return parsed.digests;
};

describe('digestTokenLines', () => {
  it('takes a token a line, without what is around it, empty lines and comments', () => {
    const known = digests(digestTokenLines('# for the collector\n\n  one \r\ntwo\n#three\n'));
    expect(['one', 'two', 'three', '#three', 'one ', ''].map((token) => isOneOf(known, token))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('names the lines that are none, and nothing of them', () => {
    expect(digestTokenLines('one\ntwo words\n\ntoken=x\n')).toEqual({ ok: false, bad: [2, 4] });
  });
});

describe('digestTokens', () => {
  it.each(['a', 'AZaz09-._~+/', 'abc==', 'x'.repeat(4096)])('takes %s', (token) => {
    expect(isOneOf(digests(digestTokens(['other', token])), token)).toBe(true);
  });

  it.each(['', ' ', 'a b', 'ä', 'a,b', '=', 'a=b'])('refuses %j', (token) => {
    expect(digestTokens(['good', token])).toEqual({ ok: false, bad: [2] });
  });

  it('holds no token', () => {
    expect(JSON.stringify(digests(digestTokens(['sesame-open'])))).not.toContain('sesame');
  });
});

describe('bearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer  abc ', 'abc'],
    ['BEARER a==', 'a=='],
  ])('finds the token in %j', (header, token) => expect(bearerToken(header)).toBe(token));

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'abc', 'Bearer a b', 'Bearer a, Bearer b'])(
    'finds none in %j',
    (header) => expect(bearerToken(header)).toBeUndefined(),
  );
});
