import type { GradedHandoff } from '@seamtrace/core';
import { type Flags, resolveSettings } from '../config/resolve.js';
import { thresholdsOf } from '../config/threshold-settings.js';
import { sayConfigProblems } from '../config/complain.js';
import { loadContracts } from '../contracts/load.js';
import { EXIT, type ExitCode } from '../exit.js';
import { readFiles } from '../input/files.js';
import { type CliIo, print, say } from '../io.js';
import { judgeGate } from './gate.js';
import { createFileGrader, decodeRequest } from './grader.js';
import { toJsonLine } from './json.js';
import { toTable } from './table.js';

export interface GradeOptions {
  /** Paths; `-` is standard input. Together they are the whole evidence. */
  readonly files: readonly string[];
  readonly format: 'json' | 'table';
  readonly flags: Flags;
}

/** `seamtrace grade`: grades what the files hold, prints it, and judges the gated routes (wire contract, section 10). */
export async function grade(io: CliIo, options: GradeOptions): Promise<ExitCode> {
  const resolved = resolveSettings(io, options.flags);
  if (!resolved.ok) return sayConfigProblems(io, resolved.problems);
  const loaded = loadContracts(io, resolved.settings.contracts);
  if (!loaded.ok) return EXIT.usage;

  const grader = createFileGrader(loaded.contracts, thresholdsOf(resolved.settings));
  if (!(await readFiles(io, options.files, { decode: decodeRequest, offer: grader.offer }))) return EXIT.usage;
  const graded = grader.finish();
  for (const text of options.format === 'table' ? [toTable(graded)] : jsonParts(graded)) {
    if (!(await print(io, text))) return EXIT.usage;
  }

  const gate = judgeGate(loaded.contracts, graded, resolved.settings.gateUndecided);
  for (const line of gate.lines) say(io, line);
  return gate.code;
}

const PART = 1000;

/** Lines in parts small enough to be one string each, however many handoffs there are. */
function* jsonParts(graded: readonly GradedHandoff[]): Generator<string> {
  for (let at = 0; at < graded.length; at += PART) {
    yield graded
      .slice(at, at + PART)
      .map(toJsonLine)
      .join('');
  }
}
