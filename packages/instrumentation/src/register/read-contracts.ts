import { existsSync, readFileSync } from 'node:fs';
import { type Contracts, parseContracts } from '@seamtrace/contracts';
import { say } from './say.js';

const DEFAULT_PATH = './seamtrace.contracts.yaml';

/**
 * The contract file of `SEAMTRACE_CONTRACTS`, else `./seamtrace.contracts.yaml` if it is there. A file that is named and
 * missing, or that has problems, is said in one line; handoffs are then recorded without contracts.
 */
export function readContracts(named: string | undefined): Contracts | undefined {
  const path = named ?? DEFAULT_PATH;
  if (named === undefined && !existsSync(path)) return undefined;
  const origin = named === undefined ? path : `SEAMTRACE_CONTRACTS=${named}`;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code ?? String(error)})`;
    say(`${origin}: ${what}; handoffs are recorded without contracts`);
    return undefined;
  }
  const parsed = parseContracts(text, path);
  if (parsed.ok) return parsed.contracts;
  const [first] = parsed.problems;
  const count = parsed.problems.length === 1 ? '1 problem' : `${parsed.problems.length} problems`;
  const where = first === undefined ? '' : `, first ${first.file}:${first.line}:${first.column} ${first.message}`;
  say(`${origin} has ${count}${where}; handoffs are recorded without contracts`);
  return undefined;
}
