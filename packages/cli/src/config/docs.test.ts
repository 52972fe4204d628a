import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTINGS, SETTING_NAMES } from './settings.js';

const page = readFileSync(new URL('../../../../docs/reference/config.md', import.meta.url), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

it('docs/reference/config.md lists every setting as it is, in order, and no other', () => {
  expect(rows).toEqual(
    SETTING_NAMES.map((name) => {
      const { key, env, flag, fallback, brief } = SETTINGS[name];
      return [code(key), code(env), code(flag), code(shown(fallback)), brief];
    }),
  );
});

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``;
}

function shown(fallback: unknown): string | undefined {
  if (typeof fallback !== 'object' || fallback === null) return fallback === undefined ? undefined : String(fallback);
  const { host, port } = fallback as { host: string; port: number };
  return `${host}:${port}`;
}
