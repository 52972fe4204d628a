import { describe, expect, test } from 'vitest';
import { createMemberNames } from './member-names.js';

function mentions(value: unknown, ...path: string[]): boolean {
  const names = createMemberNames();
  names.read(value);
  return names.mention(path.length === 0 ? ['invoice_id'] : path);
}

const json = '{"invoice_id":"inv-1"}';
const wrapped = (depth: number): string => (depth === 0 ? json : JSON.stringify({ body: wrapped(depth - 1) }));

describe('names in what a model was given', () => {
  test.each<[string, unknown]>([
    ['an object', { rows: [{ invoice_id: 1 }] }],
    ['JSON', json],
    ['JSON in a member of JSON', wrapped(2)],
    ['JSON encoded twice', JSON.stringify(json)],
    ['JSON behind a byte order mark', `\uFEFF${json}`],
    ['JSON line by line', `{"a":1}\n${json}\n`],
    ['a fenced block', `Here it is:\n\`\`\`json\n${json}\n\`\`\``],
    ['JSON that was cut off', `[${json},{"invoi`],
    ['text beyond the bounds', JSON.stringify('x'.repeat(1_100_000))],
    ['a Proxy', new Proxy({}, {})],
  ])('%s', (_, value) => {
    expect(mentions(value)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['prose', 'the invoice_id is inv-1'],
    ['the message of an error', `An error occurred. Error: Error: ${json}`],
    ['another name', '{"invoice":"invoice_id"}'],
    ['nesting beyond the bounds', wrapped(3)],
    [
      'an accessor',
      {
        get x() {
          return json;
        },
      },
    ],
  ])('not in %s', (_, value) => {
    expect(mentions(value)).toBe(false);
  });

  test('a path needs all its names', () => {
    expect(mentions('{"account":{"entitlement":1}}', 'account', 'entitlement')).toBe(true);
    expect(mentions('{"account":1}', 'account', 'entitlement')).toBe(false);
  });
});
