import type { LoadFnOutput, ResolveFnOutput, ResolveHookContext } from 'node:module';

/** Which imports are hooked, and where import-in-the-middle is. Plain data: it is passed to the loader's thread. */
export interface LoaderHookData {
  /** The `hook.mjs` of the copy of import-in-the-middle that the instrumentations listen to. */
  readonly hookUrl: string;
  readonly createHookUrl: string;
  /** Exact specifiers. */
  readonly include: readonly string[];
  /** Of these, the ones whose exports are replaced. */
  readonly replaced: readonly string[];
}

/** What evaluated modules call, on the thread of the application: a function of namespace, specifier and URL. */
export const LOADED = Symbol.for('seamtrace.instrumentation.v1.loaded');

/** What becomes of one import. */
export interface LoaderHooks {
  /** Whether this import is one of ours, by its specifier alone. */
  readonly wants: (specifier: string, context: ResolveHookContext) => boolean;
  /**
   * A wanted import was resolved. True where it has to be wrapped by import-in-the-middle: its exports are replaced, it is
   * CommonJS and so has no source that one could add to, or it was loaded under another name before.
   */
  readonly mustWrap: (specifier: string, resolved: ResolveFnOutput) => boolean;
  /** A module was loaded: with a last line that tells of it where it is wanted. */
  readonly loaded: (url: string, result: LoadFnOutput) => LoadFnOutput;
}

/**
 * Tells of ES modules as they have been evaluated, without a wrapper: a last statement is added to the module itself. So
 * its URL stays what it is, and the wrappers of the application's own instrumentations, which know only URLs of their own
 * making, go round it as without us. Line numbers and source maps stay.
 */
export function createLoaderHooks({ include, replaced }: LoaderHookData): LoaderHooks {
  const wanted = new Set(include);
  const wrapped = new Set(replaced);
  const packages = [...new Set(include.map((specifier) => `/node_modules/${packageOf(specifier)}/`))];
  /** URLs to tell of, with the specifier. */
  const announced = new Map<string, string>();
  /** URLs of hooked packages that were loaded, unannounced. */
  const passed = new Set<string>();
  return {
    wants: (specifier, context) => wanted.has(specifier) && !context.conditions.includes('require'),
    mustWrap(specifier, { url, format }) {
      const real = withoutWrapper(url);
      if (announced.has(real)) return false;
      if (wrapped.has(specifier) || format === 'commonjs' || passed.has(real)) return true;
      announced.set(real, specifier);
      return false;
    },
    loaded(url, result) {
      const specifier = announced.get(url);
      if (specifier === undefined) {
        if (packages.some((folder) => url.includes(folder))) passed.add(url);
        return result;
      }
      if (result.format !== 'module' || result.source === undefined || result.source === null) return result;
      return { ...result, source: `${textOf(result.source)}\n${statement(url, specifier)}` };
    },
  };
}

/** Imports the module into itself, which is the namespace that everybody else sees. */
function statement(url: string, specifier: string): string {
  const [own, name] = [JSON.stringify(url), JSON.stringify(specifier)];
  const tell = `globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(LOADED))})]`;
  return `;import * as $seamtrace from ${own}; ${tell}?.($seamtrace, ${name}, ${own});\n`;
}

function textOf(source: NonNullable<LoadFnOutput['source']>): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
}

/** `@scope/name` of `@scope/name/path`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The URL below the wrapper of another instrumentation's import-in-the-middle. */
function withoutWrapper(url: string): string {
  if (!url.includes('iitm=')) return url;
  const parsed = new URL(url);
  parsed.searchParams.delete('iitm');
  return parsed.href;
}
