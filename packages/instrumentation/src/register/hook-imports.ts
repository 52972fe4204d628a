import { createRequire, register } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EsmHookData } from './esm-hooks.js';

/**
 * Makes imports of the instrumented packages visible to the instrumentations; `require` is hooked by them already. The
 * hooks are those of the very copy of import-in-the-middle that `@opentelemetry/instrumentation` listens to.
 *
 * @param include Exact specifiers. Everything else is loaded as without us, at no cost.
 */
export function hookImports(here: string, include: readonly string[]): void {
  const instrumentation = createRequire(here).resolve('@opentelemetry/instrumentation');
  const folder = path.dirname(createRequire(instrumentation).resolve('import-in-the-middle'));
  const urlOf = (file: string): string => pathToFileURL(path.join(folder, file)).href;
  const data: EsmHookData = {
    hookUrl: urlOf('hook.mjs'),
    createHookUrl: urlOf('create-hook.mjs'),
    include,
  };
  register('./register/esm-hooks.js', here, { data });
}
