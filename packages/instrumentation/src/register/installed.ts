import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type InstalledPackage, packageIn } from './module-place.js';

/** Finds packages as the application would: from its main module and from the working directory upwards. */
export interface Installed {
  /** Where it is looked from, the main module's folder first. */
  readonly from: readonly string[];
  readonly find: (name: string) => InstalledPackage | undefined;
  /** A package as another one finds it, such as a dependency that only that one can see (pnpm). */
  readonly findBeside: (other: InstalledPackage, name: string) => InstalledPackage | undefined;
}

/**
 * Looks into `node_modules` only, so it costs a few hundred stats at most and loads nothing.
 *
 * @param main The main module as it stands in `process.argv[1]`; `undefined` where there is none (`-e`, a REPL).
 */
export function findInstalled(main: string | undefined, cwd: string): Installed {
  const starts = [...new Set([...(main === undefined ? [] : [realOf(path.resolve(cwd, main))]), cwd])];
  const folders = [...new Set(starts.flatMap(upwards))];
  const lookIn = (among: readonly string[], name: string): InstalledPackage | undefined => {
    for (const folder of among) {
      if (path.basename(folder) === 'node_modules') continue;
      const found = packageIn(path.join(folder, 'node_modules', name));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    from: starts,
    find: (name) => lookIn(folders, name),
    findBeside: (other, name) => lookIn(upwards(realOf(other.folder)), name),
  };
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // `node app` without an extension, or what a loader will provide: the folder is right all the same.
    return file;
  }
}

function upwards(from: string): string[] {
  const folders: string[] = [];
  for (let folder = from; ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (folder === path.dirname(folder)) return folders;
  }
}
