import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Contracts,
  type ContractsInput,
  createContracts,
  formatProblems,
  parseContracts,
  type ParseContractsResult,
} from '@seamtrace/contracts';
import { warnOnce } from './report.js';

/**
 * Where contracts come from: contracts already built, the result of `parseContracts`, an object in the shape of the
 * contract file, the path or `file:` URL of a contract file, or its text (a string of several lines).
 */
export type ContractsSource = Contracts | ParseContractsResult | ContractsInput | string | URL;

/** Tried in the working directory when nothing is named. */
export const DEFAULT_CONTRACT_FILES = ['seamtrace.contracts.yaml', 'seamtrace.contracts.json'] as const;

const MAX_FILE_BYTES = 1_048_576;

/**
 * Loads contracts without ever throwing. What cannot be used is reported whole through `diag.warn`, with file and line of
 * every problem, and nothing of it is used: half a contract would accuse the wrong side. Without a source the default
 * file is read if it is there.
 */
export function loadContracts(source: ContractsSource | undefined): Contracts | undefined {
  try {
    if (source === undefined) return loadDefault();
    if (source instanceof URL) return readContracts(fileURLToPath(source));
    if (typeof source === 'string') {
      return source.includes('\n') ? used(parseContracts(source, 'contracts')) : readContracts(source);
    }
    if ('ok' in source) return used(source);
    return isBuilt(source) ? source : createContracts(source);
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function loadDefault(): Contracts | undefined {
  const found = DEFAULT_CONTRACT_FILES.find((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true);
  return found === undefined ? undefined : readContracts(found);
}

function readContracts(file: string): Contracts | undefined {
  const size = statSync(file).size;
  if (size > MAX_FILE_BYTES) {
    report(`${file} has ${size} bytes, and a contract file may have ${MAX_FILE_BYTES}`);
    return undefined;
  }
  return used(parseContracts(readFileSync(file, 'utf8'), path.relative('', path.resolve(file)) || file));
}

function used(result: ParseContractsResult): Contracts | undefined {
  if (result.ok) return result.contracts;
  report(formatProblems(result.problems));
  return undefined;
}

function isBuilt(source: Contracts | ContractsInput): source is Contracts {
  return source.routes instanceof Map && source.agents instanceof Map;
}

function report(problem: string): void {
  warnOnce(
    `contracts:${problem}`,
    `no contract is used, so routes are not graded here and nothing is enforced: ${problem}`,
  );
}
