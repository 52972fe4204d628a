import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { SecurityOptions } from '../config/types.js';
import { digestTokenLines, digestTokens } from './tokens.js';
import type { ParseTokensResult, TokenDigest } from './tokens.js';

/** What a TLS server shows and asks for. */
export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Authorities of client certificates; `undefined` where none is asked for. */
  readonly ca: Buffer | undefined;
}

export interface Credentials {
  /** Empty where no token is asked for. */
  readonly tokens: readonly TokenDigest[];
  readonly tls: TlsMaterial | undefined;
}

export interface CredentialProblem {
  readonly option: keyof SecurityOptions;
  /** Never holds a secret. */
  readonly message: string;
}

export type ReadCredentialsResult =
  | { readonly ok: true; readonly credentials: Credentials }
  | { readonly ok: false; readonly problems: readonly CredentialProblem[] };

/** The files of a listener's security, for whoever watches them. */
export function credentialFiles({ tokenFile, tlsCert, tlsKey, clientCa }: SecurityOptions): readonly string[] {
  return [tokenFile, tlsCert, tlsKey, clientCa].filter((file) => file !== undefined);
}

/** Reads what the options name and proves that it can be used together. All problems come at once. */
export function readCredentials(options: SecurityOptions): ReadCredentialsResult {
  const problems: CredentialProblem[] = [];
  const tokens = readTokens(options, problems);
  const tls = readTls(options, problems);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, credentials: { tokens, tls } };
}

function readTokens(
  { tokens = [], tokenFile }: SecurityOptions,
  problems: CredentialProblem[],
): readonly TokenDigest[] {
  const take = (option: 'tokens' | 'tokenFile', parsed: ParseTokensResult, where: string): readonly TokenDigest[] => {
    if (parsed.ok) return parsed.digests;
    const message = `${where} ${parsed.bad.join(', ')}: a token has letters, digits and -._~+/ only, then perhaps =`;
    problems.push({ option, message });
    return [];
  };
  const given = take('tokens', digestTokens(tokens), 'position');
  if (tokenFile === undefined) return given;
  const text = readNamed('tokenFile', tokenFile, problems);
  if (text === undefined) return given;
  const parsed = digestTokenLines(text.toString('utf8'));
  if (parsed.ok && parsed.digests.length === 0) {
    // A guard that was asked for must not open because its list is empty.
    problems.push({ option: 'tokenFile', message: `${tokenFile} has no token; write one a line` });
  }
  return [...given, ...take('tokenFile', parsed, `${tokenFile}, line`)];
}

function readTls(
  { tlsCert, tlsKey, clientCa }: SecurityOptions,
  problems: CredentialProblem[],
): TlsMaterial | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const cert = readNamed('tlsCert', tlsCert, problems);
  const key = readNamed('tlsKey', tlsKey, problems);
  const ca = clientCa === undefined ? undefined : readNamed('clientCa', clientCa, problems);
  if (ca !== undefined)
    prove('clientCa', `${clientCa} is no PEM file of certificates`, problems, () => new X509Certificate(ca));
  if (cert === undefined || key === undefined) return undefined;
  const usable = prove(
    'tlsCert',
    `${tlsCert} is no PEM file of certificates`,
    problems,
    () => new X509Certificate(cert),
  );
  if (usable)
    prove('tlsKey', `${tlsKey} is not the key of ${tlsCert}, or encrypted`, problems, () =>
      createSecureContext({ cert, key }),
    );
  return { cert, key, ca };
}

function prove(
  option: keyof SecurityOptions,
  fault: string,
  problems: CredentialProblem[],
  step: () => unknown,
): boolean {
  try {
    step();
    return true;
  } catch (error) {
    problems.push({
      option,
      message: `${fault} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
    });
    return false;
  }
}

function readNamed(option: keyof SecurityOptions, file: string, problems: CredentialProblem[]): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    problems.push({ option, message: `cannot read ${file} (${code ?? message})` });
    return undefined;
  }
}
