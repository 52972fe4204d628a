// `node --import @seamtrace/instrumentation/register app.js`. Loaded before the application and never in its way: what
// fails here costs the recording of handoffs, and one line on stderr.
const { SEAMTRACE_DISABLED: disabled = '' } = process.env;
if (!/^\s*(true|1)\s*$/i.test(disabled)) {
  try {
    const { start } = await import('./register/start.js');
    await start(import.meta.url);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    process.stderr.write(`seamtrace: not started, the application runs without it: ${reason}\n`);
  }
}
