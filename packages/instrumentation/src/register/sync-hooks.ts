// The same hooks as in esm-hooks.ts, synchronous and on the application's own thread: no loader thread is started, and no
// module takes the way there and back.
import module, { createRequire, type LoadFnOutput, type LoadHookContext } from 'node:module';
import type { ResolveFnOutput, ResolveHookContext } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createLoaderHooks, type LoaderHookData } from './loader-hooks.js';

type Resolve = (
  specifier: string,
  context: ResolveHookContext,
  next: (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput,
) => ResolveFnOutput;
type Load = (
  url: string,
  context: LoadHookContext,
  next: (url: string, context?: Partial<LoadHookContext>) => LoadFnOutput,
) => LoadFnOutput;

interface Wrapper {
  readonly resolveSync: Resolve;
  readonly loadSync: Load;
  readonly applyOptions: (options: { include: string[] }) => void;
}

type RegisterHooks = (hooks: { readonly resolve: Resolve; readonly load: Load }) => void;

/** Registers the hooks. To be called only where this Node.js can: see `hookImports`. */
export function registerSyncHooks(data: LoaderHookData): void {
  const { registerHooks } = module as unknown as { readonly registerHooks: RegisterHooks };
  const hooks = createLoaderHooks(data);
  let wrapper: Wrapper | undefined;
  registerHooks({
    resolve(specifier, context, next) {
      if (wrapper !== undefined && specifier.includes('iitm=')) return wrapper.resolveSync(specifier, context, next);
      if (!hooks.wants(specifier, context)) return next(specifier, context);
      const resolved = next(specifier, context);
      if (!hooks.mustWrap(specifier, resolved)) return resolved;
      wrapper ??= createWrapper(data);
      return wrapper.resolveSync(specifier, context, next);
    },
    load(url, context, next) {
      return hooks.loaded(url, wrapper === undefined ? next(url, context) : wrapper.loadSync(url, context, next));
    },
  });
}

function createWrapper({ hookUrl, createHookUrl, include }: LoaderHookData): Wrapper {
  // Every Node.js with usable synchronous hooks can require an ES module.
  const load = createRequire(createHookUrl);
  const { createHook } = load(fileURLToPath(createHookUrl)) as { createHook: (meta: { url: string }) => Wrapper };
  const created = createHook({ url: hookUrl });
  created.applyOptions({ include: [...include] });
  return created;
}
