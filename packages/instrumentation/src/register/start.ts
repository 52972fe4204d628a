import { isMainThread } from 'node:worker_threads';
import { setFallbackProvider } from '../runtime/current-tracer.js';
import { readConfig } from '../runtime/config.js';
import { noteDigestsOff } from '../runtime/digests-off.js';
import { contractsFile, loadContracts } from '../runtime/load-contracts.js';
import { guarded } from '../runtime/report.js';
import { LOG_LEVELS, say, sayStart } from '../runtime/say.js';
import { createApiCheck, sharesApi } from './api-copies.js';
import { exportOff } from './export-off.js';
import { flushOnExit } from './flush-on-exit.js';
import { chooseFrameworks } from './framework-choice.js';
import { FRAMEWORKS } from './frameworks.js';
import { hookImports } from './hook-imports.js';
import { hookInstalled } from './hooked.js';
import { findInstalled } from './installed.js';
import { createOwnProvider } from './own-provider.js';
import { startLine } from './start-line.js';
import { takeModules } from './take-modules.js';

const SETTLED_MS = 10_000;

/** Sets everything up. `here` is the URL of the module that was given to `--import`. */
export async function start(here: string): Promise<void> {
  noteUnknownLevel(process.env['SEAMTRACE_LOG']);
  const { contractsPath, secret, frameworks: setting } = readConfig();
  const contracts = loadContracts(undefined, contractsPath);
  const frameworks = chooseFrameworks(FRAMEWORKS, setting);
  const installed = findInstalled(process.argv[1], process.cwd());
  const config = contracts === undefined ? {} : { contracts };
  // Hooks `require`, by each instrumentation itself; imports come by the loader hooks below.
  const hooked = await hookInstalled(frameworks, installed, config);
  const atWork = new Map(hooked.map(({ framework, instrumentation }) => [framework, instrumentation]));
  takeModules(frameworks, { atWork, config, here });
  hookImports(
    here,
    frameworks.flatMap(({ imports }) => imports),
    frameworks.flatMap(({ replaced = [] }) => replaced),
  );
  const own = createOwnProvider(here, sharesApi(here, installed));
  const checkApi = createApiCheck(here, installed, hooked);
  setFallbackProvider(() => {
    guarded('looking for copies of the API', checkApi, undefined);
    return own.get();
  });
  noteDigestsOff(contracts, secret);
  // A server may never end by itself; by then it has set its tracing up.
  setTimeout(() => guarded('looking for copies of the API', checkApi, undefined), SETTLED_MS).unref();
  flushOnExit(own, () => {
    checkApi();
    for (const instrumentation of atWork.values()) instrumentation.endOpenRuns();
  });
  if (!isMainThread) return;
  const file = contractsFile(contractsPath);
  sayStart(startLine({ hooked, installed, contracts, contractsFile: file, exportOff: exportOff() }));
}

function noteUnknownLevel(setting: string | undefined): void {
  if (setting === undefined || setting.trim() === '') return;
  if (LOG_LEVELS.some((level) => level === setting.trim().toLowerCase())) return;
  say(`SEAMTRACE_LOG=${JSON.stringify(setting)} is none of ${LOG_LEVELS.join(', ')}; taken as info`);
}
