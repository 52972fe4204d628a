import { expect, test } from 'vitest';
import { parseContentEncoding, parseContentLength, parseContentType } from './headers.js';

test.each([
  ['application/x-protobuf', 'protobuf'],
  ['application/json', 'json'],
  ['APPLICATION/JSON;charset=utf8', 'json'],
  [' application/json ; charset="utf-8" ', 'json'],
  ['application/json; charset=latin1', undefined],
  ['application/jsonp', undefined],
  ['application/protobuf', undefined],
  ['', undefined],
  [undefined, undefined],
])('Content-Type %j is %s', (header, expected) => {
  expect(parseContentType(header)).toBe(expected);
});

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['Deflate', 'deflate'],
  ['br', undefined],
  ['gzip, deflate', undefined],
])('Content-Encoding %j is %s', (header, expected) => {
  expect(parseContentEncoding(header)).toBe(expected);
});

test('Content-Length', () => {
  expect(parseContentLength(undefined)).toBeUndefined();
  expect(parseContentLength('12')).toBe(12);
});
