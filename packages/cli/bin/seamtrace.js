#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/index.js', import.meta.url);
if (existsSync(fileURLToPath(built))) {
  const { runProcess } = await import(built.href);
  await runProcess();
} else {
  console.error('seamtrace: this clone is not built yet; run npm run build in its root folder, then start again');
  process.exitCode = 2;
}
