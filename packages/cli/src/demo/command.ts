import { EXIT, type ExitCode } from '../exit.js';
import { type CliIo, print, say } from '../io.js';
import { untilSignal } from '../signals.js';
import { type AnalyzerProcess, startAnalyzerProcess } from './analyzer-process.js';
import { runApp } from './app-process.js';
import { appEnvironment, demoEnvironment } from './environment.js';
import { findDifferences } from './expected.js';
import { type DemoPlace, findPlace } from './place.js';
import { startRelay } from './relay.js';
import { demoReport, verdictReport } from './report.js';
import { createStateRefLog } from './state-refs.js';

export interface DemoOptions {
  /** Check the verdicts and exit, instead of leaving the analyzer to look at. */
  readonly once: boolean;
  /** Folder of another copy of the example app. */
  readonly app?: string;
}

const VERDICT_TIMEOUT_MS = 30_000;

/** `seamtrace demo`: the example app against an analyzer process, over real OTLP. */
export async function demo(io: CliIo, options: DemoOptions): Promise<ExitCode> {
  const found = findPlace(io.cwd, options.app);
  if (!found.ok) {
    say(io, found.message);
    return EXIT.usage;
  }
  const env = demoEnvironment(io.env);
  const signalled = untilSignal();
  let analyzer: AnalyzerProcess | undefined;
  try {
    analyzer = await startAnalyzerProcess(found.place, env);
    const shown = show(io, found.place, env, analyzer, options.once);
    const first = await Promise.race([shown, signalled]);
    // Stopped by hand is how the demo ends; a check that was stopped has checked nothing.
    return typeof first === 'number' ? first : options.once ? EXIT.failed : EXIT.ok;
  } catch (error) {
    say(io, `the demo did not run: ${(error as Error).message}`);
    return EXIT.failed;
  } finally {
    await analyzer?.stop();
  }
}

async function show(
  io: CliIo,
  place: DemoPlace,
  env: NodeJS.ProcessEnv,
  analyzer: AnalyzerProcess,
  once: boolean,
): Promise<ExitCode> {
  const stateRefs = createStateRefLog();
  const relay = await startRelay(analyzer.otlp, stateRefs.add);
  say(io, `running ${place.app} with --import @seamtrace/instrumentation/register …`);
  const { conversations, stdout } = await runApp(place, appEnvironment(env, relay.url, place.contracts)).finally(
    relay.close,
  );
  await print(io, `${stdout}\n`);
  say(io, 'waiting for the verdicts …');
  await analyzer.waitFor(conversations.length, VERDICT_TIMEOUT_MS);
  const verdicts = analyzer.verdicts();
  await print(io, `${demoReport(conversations, verdicts, stateRefs)}\n`);

  if (once) {
    const metrics = await (await fetch(`${analyzer.admin}/metrics`)).text();
    const differences = findDifferences(verdicts, stateRefs, metrics);
    for (const difference of differences) say(io, difference);
    say(
      io,
      differences.length === 0 ? 'all six verdicts are as they should be' : 'the demo differs from what it must show',
    );
    return differences.length === 0 ? EXIT.ok : EXIT.failed;
  }
  await print(io, nextSteps(analyzer, place));
  analyzer.follow((verdict) => void print(io, verdictReport(verdict)));
  await analyzer.ended;
  return EXIT.ok;
}

function nextSteps({ otlp, admin }: AnalyzerProcess, { contracts }: DemoPlace): string {
  return `Metrics: ${admin}/metrics
Next: run an app of your own against this analyzer, from this folder:
  OTEL_EXPORTER_OTLP_ENDPOINT=${otlp} node --import @seamtrace/instrumentation/register app.js
Its verdicts are printed below, a line each. This analyzer knows one contract file, that of the example:
  ${contracts}
Handoffs on routes of yours are judged by what their spans say; for your own file, stop this and run
  npx seamtrace serve --contracts FILE
The analyzer runs until Ctrl-C.

`;
}
