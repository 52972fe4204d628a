import { readCredentials } from '../security/credentials.js';
import { describe } from './describe.js';
import type { ConfigProblem, SecurityOptions } from './types.js';

const NAMES: ReadonlySet<string> = new Set<keyof SecurityOptions>([
  'tokens',
  'tokenFile',
  'tlsCert',
  'tlsKey',
  'clientCa',
]);

/** Checks who may speak to a listener, reading the files that are named, so that a start fails on them at once. */
export function resolveSecurity(where: string, given: unknown, problems: ConfigProblem[]): SecurityOptions {
  if (given === undefined) return Object.freeze({});
  const found: ConfigProblem[] = [];
  const add = (name: string, message: string): void => void found.push({ where: `${where}.${name}`, message });
  const options = given as SecurityOptions;
  for (const name of Object.keys(options)) {
    if (!NAMES.has(name)) add(name, `unknown option; known are ${[...NAMES].join(', ')}`);
  }
  for (const name of ['tokenFile', 'tlsCert', 'tlsKey', 'clientCa'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      add(name, `must name a file, not ${describe(value)}`);
  }
  if ((options.tlsCert === undefined) !== (options.tlsKey === undefined)) {
    const missing = options.tlsCert === undefined ? 'tlsCert' : 'tlsKey';
    add(missing, 'is missing: TLS needs the certificate and its key');
  }
  if (options.clientCa !== undefined && (options.tlsCert === undefined || options.tlsKey === undefined)) {
    add('clientCa', 'needs tlsCert and tlsKey: client certificates are a part of TLS');
  }
  if (found.length === 0) {
    const read = readCredentials(options);
    if (!read.ok) read.problems.forEach(({ option, message }) => add(option, message));
  }
  problems.push(...found);
  return Object.freeze({ ...options });
}
