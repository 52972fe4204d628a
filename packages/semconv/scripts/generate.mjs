#!/usr/bin/env node
// Writes what is derived from the registry. `--check` writes nothing and exits 1 with the name of each file that
// differs; `--root DIR` works on another checkout. Exit 2: bad usage, or a registry that is not valid.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadRegistry } from './registry.mjs';
import {
  renderAttributes,
  renderEnums,
  renderIndex,
  renderMetrics,
  renderStages,
  renderTypes,
} from './render-constants.mjs';
import { renderAttributeReference, renderMetricReference } from './render-reference.mjs';

const FOLDERS = [
  { folder: 'packages/semconv/registry', own: true },
  { folder: 'packages/semconv/upstream/genai', own: false },
];
const OUTPUTS = {
  'packages/semconv/src/index.ts': renderIndex,
  'packages/semconv/src/generated/attributes.ts': renderAttributes,
  'packages/semconv/src/generated/enums.ts': renderEnums,
  'packages/semconv/src/generated/metrics.ts': renderMetrics,
  'packages/semconv/src/generated/stages.ts': renderStages,
  'packages/semconv/src/generated/types.ts': renderTypes,
  'docs/reference/attributes.md': renderAttributeReference,
  'docs/reference/metrics.md': renderMetricReference,
};

function options() {
  try {
    const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, root: { type: 'string' } } });
    return values;
  } catch (error) {
    console.error(`${error.message}\nusage: generate.mjs [--check] [--root DIR]`);
    process.exit(2);
  }
}

const { check, root: given } = options();
const root = path.resolve(given ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..'));
const loaded = loadRegistry(root, FOLDERS);
if (!loaded.ok) {
  for (const { file, line, message } of loaded.problems) console.error(`${file}:${line}: ${message}`);
  console.error(`${loaded.problems.length} problem(s) in the registry; nothing was written.`);
  process.exit(2);
}
const stale = [];
for (const [file, render] of Object.entries(OUTPUTS)) {
  const target = path.join(root, file);
  const wanted = render(loaded.registry);
  if (existsSync(target) && readFileSync(target, 'utf8') === wanted) continue;
  stale.push(file);
  if (check) continue;
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, wanted);
}
if (check && stale.length > 0) {
  for (const file of stale) console.error(`${file} differs from what the registry says`);
  console.error('Run `npm run generate` and commit the result.');
  process.exit(1);
}
for (const file of stale) console.log(`wrote ${file}`);
