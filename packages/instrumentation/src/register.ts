// `node --import @seamtrace/instrumentation/register app.js`. Loaded before the application and never in its way: what
// fails here costs the recording of handoffs, and one line on stderr.
import { createRequire } from 'node:module';
import type { start as Start } from './register/start.js';

const { SEAMTRACE_DISABLED: disabled = '' } = process.env;
if (!/^\s*(true|1)\s*$/i.test(disabled)) {
  try {
    // The CommonJS build: a hundred small modules load in half the time, and one by one in no loader's way.
    const { start } = createRequire(import.meta.url)('./cjs/register/start.js') as { start: typeof Start };
    await start(import.meta.url);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    process.stderr.write(`seamtrace: not started, the application runs without it: ${reason}\n`);
  }
}
