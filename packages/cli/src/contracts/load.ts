import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Contracts, parseContracts } from '@seamtrace/contracts';
import { type CliIo, say } from '../io.js';

/** Where contracts are looked for when nobody names a file (wire contract, section 11). */
const DEFAULT_CONTRACTS = 'seamtrace.contracts.yaml';

export type LoadedContracts =
  | { readonly ok: true; readonly contracts: Contracts | undefined; /** Absolute. */ readonly file: string | undefined }
  | { readonly ok: false };

/**
 * Reads the contract file, or nothing where none is named and the default is not there. Problems are said on stderr,
 * every one with file and line.
 */
export function loadContracts(io: CliIo, named: string | undefined): LoadedContracts {
  const file = path.resolve(io.cwd, named ?? DEFAULT_CONTRACTS);
  if (named === undefined && !existsSync(file)) return { ok: true, contracts: undefined, file: undefined };
  const shown = shortest(io, file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    say(io, `cannot read the contract file ${shown} (${code ?? message}); name an existing one with --contracts`);
    return { ok: false };
  }
  const parsed = parseContracts(text, shown);
  if (parsed.ok) return { ok: true, contracts: parsed.contracts, file };
  const count = parsed.problems.length;
  say(io, `${shown} has ${count === 1 ? 'a problem' : `${count} problems`}; correct what follows and start again`);
  for (const { file: where, line, column, message } of parsed.problems) {
    io.stderr.write(`  ${where}:${line}:${column}: ${message}\n`);
  }
  return { ok: false };
}

function shortest(io: CliIo, file: string): string {
  const relative = path.relative(io.cwd, file);
  return relative !== '' && !relative.startsWith('..') ? relative : file;
}
