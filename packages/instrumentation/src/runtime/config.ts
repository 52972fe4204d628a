import type { EnforceMode } from '@seamtrace/contracts';
import { warnAloud } from './report.js';

/** What the environment says to the instrumentation. */
export interface Config {
  /** `SEAMTRACE_DISABLED`: nothing is captured, stamped, carried or enforced. */
  readonly disabled: boolean;
  /** `SEAMTRACE_CONTRACTS`: path of the contract file. */
  readonly contractsPath: string | undefined;
  /** `SEAMTRACE_SECRET`: key of all digests; without it there are none. */
  readonly secret: string | undefined;
  /** `SEAMTRACE_ENFORCE`: replaces what the contract file says, on both sides of every route. */
  readonly enforce: EnforceMode | undefined;
  /** `SEAMTRACE_FRAMEWORKS`: which frameworks `register` hooks; all that are installed where it is unset. */
  readonly frameworks: string | undefined;
}

export const MODES: readonly EnforceMode[] = ['observe', 'warn', 'enforce'];

/** Reads `SEAMTRACE_*`. Empty is unset. A value that is none of the permitted ones is named, also on stderr, and
 * taken as unset. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  return {
    disabled: readFlag(env, 'SEAMTRACE_DISABLED'),
    contractsPath: readText(env, 'SEAMTRACE_CONTRACTS'),
    secret: readText(env, 'SEAMTRACE_SECRET'),
    enforce: readMode(env, 'SEAMTRACE_ENFORCE'),
    frameworks: readText(env, 'SEAMTRACE_FRAMEWORKS'),
  };
}

function readText(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const text = env[name];
  return text === undefined || text.trim() === '' ? undefined : text;
}

function readFlag(env: Readonly<Record<string, string | undefined>>, name: string): boolean {
  const text = readText(env, name)?.trim().toLowerCase();
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1') return true;
  warnAloud(`config:${name}`, `${name}=${JSON.stringify(text)} is none of true, 1, false, 0; taken as false`);
  return false;
}

function readMode(env: Readonly<Record<string, string | undefined>>, name: string): EnforceMode | undefined {
  const text = readText(env, name)?.trim().toLowerCase();
  if (text === undefined) return undefined;
  const mode = MODES.find((each) => each === text);
  if (mode === undefined) {
    warnAloud(`config:${name}`, `${name}=${JSON.stringify(text)} is none of ${MODES.join(', ')}; the contract decides`);
  }
  return mode;
}
