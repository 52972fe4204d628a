import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ContractDefinitionError,
  type Contracts,
  type ContractsInput,
  createContracts,
  formatProblems,
  parseContracts,
  type ParseContractsResult,
} from '@seamtrace/contracts';
import { warnOnce } from './report.js';
import { say } from './say.js';

/**
 * Where contracts come from: contracts already built, the result of `parseContracts`, an object in the shape of the
 * contract file, the path or `file:` URL of a contract file, or its text (a string of several lines).
 */
export type ContractsSource = Contracts | ParseContractsResult | ContractsInput | string | URL;

/** Tried in the working directory when nothing is named. */
export const DEFAULT_CONTRACT_FILES = ['seamtrace.contracts.yaml', 'seamtrace.contracts.json'] as const;

const MAX_FILE_BYTES = 1_048_576;
const GIVEN = 'contracts given in code';

/**
 * Loads contracts without ever throwing. What cannot be used is said in one line on stderr, with file and line of the first
 * problem and what follows from it, and reported whole through `diag.warn`. Nothing of it is used: half a contract would
 * accuse the wrong side.
 *
 * @param given What the application names; it goes before the environment.
 * @param named `SEAMTRACE_CONTRACTS`. With neither, the default file is read if it is there.
 */
export function loadContracts(given: ContractsSource | undefined, named?: string): Contracts | undefined {
  try {
    if (given === undefined)
      return named === undefined ? loadDefault() : readContracts(named, `SEAMTRACE_CONTRACTS=${named}`);
    if (given instanceof URL) return readContracts(fileURLToPath(given));
    if (typeof given === 'string') {
      return given.includes('\n') ? used(parseContracts(given, 'contracts'), GIVEN) : readContracts(given);
    }
    const other: unknown = given;
    if (typeof other !== 'object' || other === null) throw new TypeError('neither an object, a path nor a URL');
    if ('ok' in given) return used(given, GIVEN);
    return isBuilt(given) ? given : createContracts(given);
  } catch (error) {
    const whole = error instanceof Error ? error.message : String(error);
    report(`${GIVEN}:`, error instanceof ContractDefinitionError ? definition(error) : { short: whole, whole });
    return undefined;
  }
}

/** The contract file that is read where the application names none: `SEAMTRACE_CONTRACTS`, else the default file. */
export function contractsFile(named: string | undefined): string | undefined {
  return named ?? DEFAULT_CONTRACT_FILES.find((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true);
}

function loadDefault(): Contracts | undefined {
  const found = contractsFile(undefined);
  return found === undefined ? undefined : readContracts(found);
}

function readContracts(file: string, origin: string = file): Contracts | undefined {
  const text = readText(file);
  if ('fault' in text) {
    report(`${origin}:`, { short: text.fault, whole: `${file}: ${text.fault}` });
    return undefined;
  }
  return used(parseContracts(text.text, path.relative('', path.resolve(file)) || file), origin);
}

function readText(file: string): { readonly text: string } | { readonly fault: string } {
  const at = path.isAbsolute(file) ? '' : ` (${path.resolve(file)})`;
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) return { fault: `it is a folder${at}` };
    if (stats.size > MAX_FILE_BYTES) {
      return { fault: `it has ${stats.size} bytes, and a contract file may have ${MAX_FILE_BYTES}${at}` };
    }
    return { text: readFileSync(file, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      fault: code === 'ENOENT' ? `there is no such file${at}` : `it cannot be read (${code ?? String(error)})${at}`,
    };
  }
}

function used(result: ParseContractsResult, origin: string): Contracts | undefined {
  if (result.ok) return result.contracts;
  const [first] = result.problems;
  report(origin === GIVEN ? `${origin}:` : `${origin} has`, {
    short: counted(result.problems.length, first && `${first.file}:${first.line}:${first.column} ${first.message}`),
    whole: formatProblems(result.problems),
  });
  return undefined;
}

function definition({ problems, message }: ContractDefinitionError): Fault {
  const [first] = problems;
  return { short: counted(problems.length, first && `${first.path} ${first.message}`), whole: message };
}

function counted(count: number, first: string | undefined): string {
  const problems = count === 1 ? '1 problem' : `${count} problems`;
  return first === undefined ? problems : `${problems}${count === 1 ? ':' : ', first'} ${first}`;
}

function isBuilt(source: Contracts | ContractsInput): source is Contracts {
  return source.routes instanceof Map && source.agents instanceof Map;
}

/** What is wrong with a source: its first problem after the source's name, and all of it. */
interface Fault {
  readonly short: string;
  readonly whole: string;
}

function report(origin: string, { short, whole }: Fault): void {
  say(`${origin} ${short}; no contract applies: dispatch sends the whole source, nothing is enforced`);
  warnOnce(
    `contracts:${whole}`,
    `no contract is used, so routes are not graded here and nothing is enforced: ${whole}`,
  );
}
