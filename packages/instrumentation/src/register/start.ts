import { endOpenRuns } from '../frameworks/openai-agents/run-flow.js';
import { readConfig } from '../runtime/config.js';
import { noteDigestsOff } from '../runtime/digests-off.js';
import { setFallbackProvider } from '../runtime/current-tracer.js';
import { FRAMEWORKS } from './frameworks.js';
import { hookImports } from './hook-imports.js';
import { createOwnProvider } from './own-provider.js';
import { flushOnExit } from './flush-on-exit.js';
import { loadContracts } from '../runtime/load-contracts.js';

/** Sets everything up. `here` is the URL of the module that was given to `--import`. */
export function start(here: string): void {
  const { contractsPath, secret } = readConfig();
  const contracts = loadContracts(undefined, contractsPath);
  // Hooks `require` at once, and imports through the loader hooks below.
  for (const { create } of FRAMEWORKS) create(contracts === undefined ? {} : { contracts });
  hookImports(
    here,
    FRAMEWORKS.flatMap(({ imports }) => imports),
  );
  const own = createOwnProvider(here);
  setFallbackProvider(() => own.get());
  noteDigestsOff(contracts, secret);
  flushOnExit(own, endOpenRuns);
}
