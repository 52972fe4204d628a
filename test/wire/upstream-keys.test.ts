import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { WANTED_KEYS } from '../../packages/core/src/decode/wanted.js';

interface UpstreamAttribute {
  readonly key: string;
  readonly note?: string;
  readonly annotations: { readonly seamtrace: { readonly origin: string } };
}

const registry = new URL('../../packages/semconv/upstream/genai/', import.meta.url);
const { attributes } = parse(readFileSync(new URL('attributes.yaml', registry), 'utf8')) as {
  readonly attributes: readonly UpstreamAttribute[];
};

it('declares every foreign key that the decoder materialises', () => {
  const declared = new Set(attributes.map(({ key }) => key));
  expect([...WANTED_KEYS].filter((key) => !declared.has(key))).toEqual([]);
});

it('says of every key where it is defined, and of a proposal which one', () => {
  for (const { key, note, annotations } of attributes) {
    expect(['genai', 'semconv', 'proposal'], key).toContain(annotations.seamtrace.origin);
    if (annotations.seamtrace.origin === 'proposal') expect(note, key).toMatch(/pull request \d+/);
  }
});

it('pins the same GenAI commit in both manifests and in the wire contract', () => {
  const commit = /\b[0-9a-f]{40}\b/;
  const pinned = commit.exec(readFileSync(new URL('manifest.yaml', registry), 'utf8'))?.[0];
  expect(pinned).toBeDefined();
  expect(readFileSync(new URL('../../registry/manifest.yaml', registry), 'utf8')).toContain(pinned);
  expect(readFileSync(new URL('../../docs/wire.md', import.meta.url), 'utf8')).toContain(pinned);
});
