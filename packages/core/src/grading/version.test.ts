import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GRADER_VERSION } from './version.js';

it('is the version of the package that holds the rules', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(GRADER_VERSION).toBe(manifest.version);
});
