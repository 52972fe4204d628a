import type { LineCounter } from 'yaml';
import type { ContractProblem } from '../types.js';

/**
 * What kind of rule a fault breaks. The JSON Schema says the `shape` rules; `text` rules are about the text itself,
 * `meaning` rules compare parts of the document, and `projection` is the one rule that contracts built in code may break.
 */
export type FaultKind = 'text' | 'shape' | 'meaning' | 'projection';

/** A fault before its offset is turned into line and column. */
export interface Fault {
  readonly kind: FaultKind;
  readonly offset: number;
  readonly pointer: string;
  readonly message: string;
}

const MAX_PROBLEMS = 1_000;

/** Appends a member name or an index to a JSON pointer (RFC 6901). */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Turns faults into problems, in the order of the text. Beyond 1,000 the rest is only counted, in a last problem. */
export function locateFaults(faults: readonly Fault[], file: string, lines: LineCounter): ContractProblem[] {
  const problems = faults.map((fault) => {
    const { line, col } = lines.linePos(Math.max(0, fault.offset));
    return { file, line: Math.max(1, line), column: Math.max(1, col), path: fault.pointer, message: fault.message };
  });
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  const rest = problems.splice(MAX_PROBLEMS);
  const [first] = rest;
  if (first !== undefined) problems.push({ ...first, message: `${rest.length} more problems from here on` });
  return problems;
}

/** The problems as text, one a line: `file:line:column: message`, the form that editors and CI logs link. */
export function formatProblems(problems: readonly ContractProblem[]): string {
  return problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n');
}
