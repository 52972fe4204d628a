import { createRequire, register } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoaderHookData } from './loader-hooks.js';
import { isSupported } from '../hooks/framework-instrumentation.js';
import { registerSyncHooks } from './sync-hooks.js';

// Where `module.registerHooks` takes CommonJS without a source, as import-in-the-middle says (`supportsSyncHooks`): before,
// https://github.com/nodejs/node/pull/59929, a `require` below an import fails.
const SYNC_HOOKS: readonly string[] = ['>=22.22.3 <23', '>=24.11.1 <25', '>=25.1.0'];

/**
 * Makes imports of the instrumented packages visible; `require` is hooked by the instrumentations already. By synchronous
 * hooks where Node.js has usable ones (from 22.22.3 and 24.11.1), else on the loader's thread.
 *
 * @param include Exact specifiers. Everything else is loaded as without us.
 * @param replaced Of these, the ones whose exports are replaced.
 */
export function hookImports(here: string, include: readonly string[], replaced: readonly string[]): void {
  // The very copy of import-in-the-middle that `@opentelemetry/instrumentation` listens to.
  const instrumentation = createRequire(here).resolve('@opentelemetry/instrumentation');
  const folder = path.dirname(createRequire(instrumentation).resolve('import-in-the-middle'));
  const urlOf = (file: string): string => pathToFileURL(path.join(folder, file)).href;
  const data: LoaderHookData = {
    hookUrl: urlOf('hook.mjs'),
    createHookUrl: urlOf('create-hook.mjs'),
    include,
    replaced,
  };
  if (isSupported(process.versions.node, SYNC_HOOKS)) registerSyncHooks(data);
  else register('./register/esm-hooks.js', here, { data });
}
