import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the demo's parts are. */
export interface DemoPlace {
  /** Folder of the example app. */
  readonly app: string;
  readonly contracts: string;
  /** This command line's own script, to start `serve` as a process. */
  readonly cli: string;
}

export type FindPlaceResult =
  { readonly ok: true; readonly place: DemoPlace } | { readonly ok: false; readonly message: string };

/** The example app of this clone, or the copy in `app`. The npm package does not bring the example along. */
export function findPlace(cwd: string, app: string | undefined): FindPlaceResult {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const cli = path.resolve(here, '../../bin/seamtrace.js');
  const folder = app === undefined ? path.resolve(here, '../../../../examples/support-desk') : path.resolve(cwd, app);
  const contracts = path.join(folder, 'seamtrace.contracts.yaml');
  for (const file of [path.join(folder, 'src/app.js'), contracts]) {
    if (existsSync(file)) continue;
    const next =
      app === undefined
        ? 'run the demo in a clone of the repository'
        : 'name a copy of examples/support-desk with --app';
    return { ok: false, message: `${file} does not exist; ${next}` };
  }
  return { ok: true, place: { app: folder, contracts, cli } };
}
