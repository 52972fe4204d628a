// Loader hooks for ECMAScript modules on the loader's thread, for Node.js without usable synchronous hooks. What has to be
// wrapped is wrapped by import-in-the-middle, in an instance of our own: its `hook.mjs` keeps one list of modules for all
// who register it, so registering that one for our few modules would narrow an application's own instrumentation, and
// registering it twice makes Node print a warning.
import type { LoadHook, ResolveHook } from 'node:module';
import { createLoaderHooks, type LoaderHookData, type LoaderHooks } from './loader-hooks.js';

interface Wrapper {
  readonly resolve: ResolveHook;
  readonly load: LoadHook;
  readonly applyOptions: (options: { include: string[] }) => void;
}

let data: LoaderHookData | undefined;
let hooks: LoaderHooks | undefined;
let wrapper: Wrapper | undefined;

export function initialize(given: LoaderHookData): void {
  data = given;
  hooks = createLoaderHooks(given);
}

export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier.includes('iitm=') && wrapper !== undefined) return wrapper.resolve(specifier, context, next);
  if (hooks?.wants(specifier, context) !== true) return next(specifier, context);
  const resolved = await next(specifier, context);
  if (!hooks.mustWrap(specifier, resolved)) return resolved;
  wrapper ??= await createWrapper();
  return wrapper.resolve(specifier, context, next);
};

export const load: LoadHook = async (url, context, next) => {
  const result = await (wrapper === undefined ? next(url, context) : wrapper.load(url, context, next));
  return hooks === undefined ? result : hooks.loaded(url, result);
};

async function createWrapper(): Promise<Wrapper> {
  const { hookUrl = '', createHookUrl = '', include = [] } = data ?? {};
  const { createHook } = (await import(createHookUrl)) as { createHook: (meta: { url: string }) => Wrapper };
  const created = createHook({ url: hookUrl });
  created.applyOptions({ include: [...include] });
  return created;
}
