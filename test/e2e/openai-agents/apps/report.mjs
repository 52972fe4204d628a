import { recordAll, watchTraces } from './scenarios.mjs';

/** Runs all scenarios as the arguments ask, and prints what was seen, process-wide events included. */
export async function report(libraries) {
  const [mode, tracing] = process.argv.slice(2);
  const around = [];
  process.on('unhandledRejection', (reason) => around.push(['unhandled', reason?.constructor?.name, reason?.message]));
  process.on('warning', (warning) => around.push(['warning', warning.name, warning.message]));
  const traces = watchTraces(libraries.sdk);
  const recording = await recordAll({ ...libraries, stream: mode === 'stream', tracing: tracing === 'on' });
  // Rejected and left alone on purpose: it has to stay unhandled.
  const runner = new libraries.sdk.Runner({ model: new libraries.testing.ScriptedModel([]), tracingDisabled: true });
  runner.run(new libraries.sdk.Agent({ name: 'nobody' }), 'hi');
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.stdout.write(`${JSON.stringify({ recording, traces, around }, null, 1)}\n`);
  process.exitCode = 7;
}
