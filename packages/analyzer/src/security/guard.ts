import { statSync } from 'node:fs';
import type { SecurityOptions } from '../config/types.js';
import { credentialFiles, readCredentials } from './credentials.js';
import type { CredentialProblem, Credentials, TlsMaterial } from './credentials.js';
import { bearerToken, isOneOf } from './tokens.js';

/** What credentials allow: everything, or nothing since there are none, they are not known, or they are for elsewhere. */
export type Verdict = 'allowed' | 'missing' | 'unknown' | 'elsewhere';

/** What a TLS server needs of a guard. */
export interface TlsSource {
  readonly material: TlsMaterial;
  /** Told of every renewal from now on, of the others never. */
  onRenewed(listen: (material: TlsMaterial) => void): void;
}

/** Holds the credentials of one listener and keeps them up to date with their files. */
export interface Guard {
  /** Whether anybody is turned away at all. */
  readonly isOpen: boolean;
  check(authorization: string | undefined): Verdict;
  /** Whether a token is one of this guard's. */
  knows(token: string): boolean;
  /** `undefined` where the listener does not speak TLS. */
  readonly tls: TlsSource | undefined;
  /** Reads the files again, now. */
  reload(): void;
  /** Ends the watching. */
  close(): void;
}

export interface GuardOptions {
  readonly security: SecurityOptions;
  /** Where a token may belong that is not known here. */
  readonly elsewhere?: () => Guard | undefined;
  /** How often the files are looked at. Default 5 s. */
  readonly everyMs?: number;
  /** Told of each renewal, and of each state of the files that cannot be used; what was before stays in force then. */
  readonly told: (
    outcome: { readonly ok: true } | { readonly ok: false; readonly problems: readonly CredentialProblem[] },
  ) => void;
}

const DEFAULT_EVERY_MS = 5_000;

/** Throws where the credentials cannot be read at the start: a listener is never open because its files are missing. */
export function createGuard({ security, elsewhere, everyMs = DEFAULT_EVERY_MS, told }: GuardOptions): Guard {
  const first = readCredentials(security);
  if (!first.ok) throw new Error(first.problems.map(({ option, message }) => `${option}: ${message}`).join('; '));
  let credentials: Credentials = first.credentials;
  const listeners: ((material: TlsMaterial) => void)[] = [];
  const files = credentialFiles(security);
  let seen = stateOf(files);

  // Polled, and through links: mounted secrets change by a link to another folder, of which no watcher hears.
  const timer = files.length === 0 ? undefined : setInterval(look, everyMs);
  timer?.unref();

  function look(): void {
    const state = stateOf(files);
    if (state !== seen) reload(state);
  }

  function reload(state = stateOf(files)): void {
    seen = state;
    const read = readCredentials(security);
    if (!read.ok) return told(read);
    credentials = read.credentials;
    if (credentials.tls !== undefined) for (const listen of listeners) listen(credentials.tls);
    told({ ok: true });
  }

  return {
    isOpen: credentials.tokens.length === 0 && credentials.tls?.ca === undefined,
    check(authorization) {
      if (credentials.tokens.length === 0) return 'allowed';
      const token = bearerToken(authorization);
      if (token === undefined) return 'missing';
      if (isOneOf(credentials.tokens, token)) return 'allowed';
      return elsewhere?.()?.knows(token) === true ? 'elsewhere' : 'unknown';
    },
    knows: (token) => isOneOf(credentials.tokens, token),
    tls:
      credentials.tls === undefined
        ? undefined
        : {
            get material() {
              return credentials.tls!;
            },
            onRenewed: (listen) => void listeners.push(listen),
          },
    reload: () => {
      if (files.length > 0) reload();
    },
    close: () => clearInterval(timer),
  };
}

/** Changes when a file does. A file that cannot be read has a state, too. */
function stateOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat === undefined ? 'none' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
    })
    .join('|');
}
