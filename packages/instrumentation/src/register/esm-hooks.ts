// Loader hooks for ECMAScript modules, on the loader's thread. They are those of import-in-the-middle, in an instance of
// our own: its `hook.mjs` keeps one list of modules for all who register it, so registering that one for our few modules
// would narrow an application's own instrumentation, and registering it twice makes Node print a warning.
import type { LoadHook, ResolveHook } from 'node:module';

/** What `module.register` passes over: where import-in-the-middle is, and which imports to hook. */
export interface EsmHookData {
  readonly hookUrl: string;
  readonly createHookUrl: string;
  readonly include: readonly string[];
}

interface Hook {
  readonly resolve: ResolveHook;
  readonly load: LoadHook;
  readonly applyOptions: (options: { include: readonly string[] }) => void;
}

let hook: Hook | undefined;

export async function initialize(data: EsmHookData): Promise<void> {
  const { createHook } = (await import(data.createHookUrl)) as { createHook: (meta: { url: string }) => Hook };
  const created = createHook({ url: data.hookUrl });
  created.applyOptions({ include: data.include });
  hook = created;
}

export const resolve: ResolveHook = (specifier, context, next) =>
  hook === undefined ? next(specifier, context) : hook.resolve(specifier, context, next);

export const load: LoadHook = (url, context, next) =>
  hook === undefined ? next(url, context) : hook.load(url, context, next);
