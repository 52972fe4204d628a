import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeDirectory } from './make-directory.js';

const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-make-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('makes what is missing, for its user alone, and leaves what is there', () => {
  const directory = path.join(folder, 'a', 'b');
  makeDirectory(directory);
  makeDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('a file in its place, or above it, is an error', () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(() => makeDirectory(file)).toThrow(/EEXIST/);
  expect(() => makeDirectory(path.join(file, 'below'))).toThrow(/ENOTDIR/);
});

test.skipIf(!existsSync('/proc/self'))('a place where nothing can be made is an error, and not an endless loop', () => {
  expect(() => makeDirectory('/proc/seamtrace-data')).toThrow(/ENOENT/);
});
