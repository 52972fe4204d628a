import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModulePlace } from '../hooks/framework-instrumentation.js';

/** A package as it lies on disk. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string | undefined;
  readonly folder: string;
}

/** Reads a folder's `package.json`; `undefined` where there is none that names a package. */
export function packageIn(folder: string): InstalledPackage | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    if (typeof name !== 'string') return undefined;
    return { name, version: typeof version === 'string' ? version : undefined, folder };
  } catch {
    return undefined;
  }
}

/** The package that a module belongs to, and its path there. A `package.json` that only says `type` names none. */
export function placeOf(url: string, specifier: string): (ModulePlace & { readonly folder: string }) | undefined {
  if (!url.startsWith('file:')) return undefined;
  const file = fileURLToPath(url);
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = packageIn(folder);
    if (found !== undefined) {
      const inside = path.relative(folder, file).split(path.sep).join('/');
      return { specifier, packageName: found.name, version: found.version, file: inside, folder };
    }
    if (folder === path.dirname(folder)) return undefined;
  }
}
