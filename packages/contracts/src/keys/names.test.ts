import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_KEYS_DIGEST, keyedDigest, keysDigest } from './digest.js';
import { looksLikeIdentifier } from './identifier.js';
import { compareUtf8, sortUnique } from './order.js';

test.each([
  'customerId',
  'customer_id',
  'customer-id',
  '$ref',
  '_private',
  'a',
  'X',
  'gen_ai.agent.name',
  'address1',
  'sha256',
  'oauth2Sha256Base64',
  '__proto__',
  'constructor',
  'key_999999',
  'n'.repeat(128),
])('shows %s', (name) => {
  expect(looksLikeIdentifier(name)).toBe(true);
});

test.each([
  '',
  ' ',
  'customer id',
  'jane@example.com',
  '550e8400-e29b-41d4-a716-446655440000',
  'order_a50e8400-e29b-41d4-a716-446655440000',
  '4915112345678',
  'tel_555_123_4567',
  'INV-20240001',
  '0',
  '1a',
  'Please refund my order',
  'thread:42',
  'https://example.com',
  'größe',
  'a\nb',
  'a..b',
  'a.',
  '.a',
  '*',
  'a[]',
  'a\\b',
  'd41d8cd98f00b204e980',
  'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
  'n'.repeat(129),
  'a.'.repeat(50) + 'aaaaaaaaa.aaaaaaaaaaaaaaaaaa',
])('masks %j', (name) => {
  expect(looksLikeIdentifier(name)).toBe(false);
});

test('judges hostile names in bounded time', () => {
  for (const name of ['a'.repeat(128), 'a1'.repeat(64), '1a'.repeat(64), 'a.'.repeat(64), 'f'.repeat(127) + 'g']) {
    expect(typeof looksLikeIdentifier(name)).toBe('boolean');
  }
});

test('orders by UTF-8 bytes, not by UTF-16 units', () => {
  expect(['\u{1F600}', '\uFF5E', 'b', 'a'].sort(compareUtf8)).toEqual(['a', 'b', '\uFF5E', '\u{1F600}']);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('sorts distinct names without touching its input', () => {
  const names = ['b', 'a', 'b'];
  expect(sortUnique(names)).toEqual(['a', 'b']);
  expect(names).toEqual(['b', 'a', 'b']);
});

test('digests names in any order and repetition alike, as the wire contract spells it', () => {
  const digest = createHash('sha256').update('customer_id\ninvoice_id').digest('hex').slice(0, 16);
  expect(keysDigest(['invoice_id', 'customer_id', 'invoice_id'])).toBe(digest);
  expect(keysDigest([])).toBe(EMPTY_KEYS_DIGEST);
  expect(EMPTY_KEYS_DIGEST).toBe(createHash('sha256').update('').digest('hex').slice(0, 16));
  fc.assert(
    fc.property(fc.array(fc.string()), (names) => {
      expect(keysDigest([...names, ...names].reverse())).toBe(keysDigest(names));
    }),
  );
});

test('keys a digest by its secret and refuses an empty one', () => {
  const keyId = createHash('sha256').update('s3cret').digest('hex').slice(0, 8);
  expect(keyedDigest('s3cret', 'C-12')).toMatch(new RegExp(`^hmac-sha256:${keyId}:[0-9a-f]{64}$`));
  expect(keyedDigest('s3cret', 'C-12')).not.toBe(keyedDigest('s3cret', 'C-13'));
  expect(keyedDigest('other', 'C-12')).not.toBe(keyedDigest('s3cret', 'C-12'));
  expect(keyedDigest('', 'C-12')).toBeUndefined();
});
