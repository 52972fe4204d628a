import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { say } from '../runtime/say.js';
import type { Hooked } from './hooked.js';
import type { Installed } from './installed.js';
import { placeOf } from './module-place.js';

const API = '@opentelemetry/api';
// Where every copy of the API looks for what the first one registered.
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

interface Registered {
  readonly version?: unknown;
  readonly trace?: unknown;
}

/** One copy of the API, and who uses it. */
interface Copy {
  readonly version: string;
  readonly folder: string;
  readonly user: string;
}

/**
 * Looks for copies of `@opentelemetry/api` that are newer than the one through which tracing was registered: OpenTelemetry
 * gives those a tracer that records nothing, and says so nowhere. Said in one line, once. Returns nothing to do where no
 * tracing is registered, since until then nobody is cut off.
 *
 * @param here The module that was given to `--import`: what this package itself loads.
 */
export function createApiCheck(here: string, installed: Installed, hooked: readonly Hooked[]): () => void {
  let done = false;
  return () => {
    const registered = (globalThis as { [REGISTERED]?: Registered })[REGISTERED];
    if (done || registered?.trace === undefined || typeof registered.version !== 'string') return;
    done = true;
    const { version } = registered;
    const cutOff = copies(here, installed, hooked).filter((copy) => minorOf(copy.version) > minorOf(version));
    if (cutOff.length === 0) return;
    const named = cutOff.map((copy) => `${copy.version} of ${copy.user} (${copy.folder})`).join(', ');
    say(
      `tracing is registered through ${API} ${version}, and a newer copy may not use it: ${named}; spans made there are lost or go another way. Install one version of ${API} (npm dedupe, or overrides)`,
    );
  };
}

/**
 * Whether the application has the version of the API that this package loads, or none. Only then may anything be registered
 * here: whoever registers first decides the version, and OpenTelemetry refuses every other one.
 */
export function sharesApi(here: string, installed: Installed): boolean {
  const theirs = installed.find(API);
  return theirs === undefined || theirs.version === ourCopy(here)?.version;
}

function ourCopy(here: string): ReturnType<typeof placeOf> {
  return placeOf(pathToFileURL(createRequire(here).resolve(API)).href, API);
}

function copies(here: string, installed: Installed, hooked: readonly Hooked[]): readonly Copy[] {
  const ours = ourCopy(here);
  const own = ours?.version === undefined ? [] : [{ version: ours.version, folder: ours.folder, user: 'seamtrace' }];
  const theirs = hooked.flatMap(({ framework }) => {
    const main = installed.find(framework.name);
    const copy = main === undefined ? undefined : installed.findBeside(main, API);
    return copy?.version === undefined ? [] : [{ version: copy.version, folder: copy.folder, user: framework.name }];
  });
  return [...own, ...theirs];
}

function minorOf(version: string): number {
  return Number(version.split('.')[1] ?? 0);
}
