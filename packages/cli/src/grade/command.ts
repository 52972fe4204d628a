import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { GradedHandoff } from '@seamtrace/core';
import { type Flags, resolveSettings } from '../config/resolve.js';
import { thresholdsOf } from '../config/threshold-settings.js';
import { sayConfigProblems } from '../config/complain.js';
import { loadContracts } from '../contracts/load.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type CliIo, print, say } from '../io.js';
import { judgeGate } from './gate.js';
import { type FileGrader, createFileGrader, decodeRequest } from './grader.js';
import { toJsonLine } from './json.js';
import { readRequests } from './read.js';
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
  if (options.files.filter((file) => file === '-').length > 1) {
    say(io, 'standard input (-) is named twice; it can be read once');
    return EXIT.usage;
  }

  const grader = createFileGrader(loaded.contracts, thresholdsOf(resolved.settings));
  let readable = true;
  // All of them, so that every file that has to be replaced is named at once.
  for (const file of options.files) readable = (await readFile(io, file, grader)) && readable;
  if (!readable) return EXIT.usage;
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

const MAX_LEFT_OUT_SAID = 10;

/** Feeds one file to the grader; says what is wrong and returns false where it cannot be read to its end. */
async function readFile(io: CliIo, file: string, grader: FileGrader): Promise<boolean> {
  if (file === '') {
    say(
      io,
      "cannot read '': a FILE argument is empty; name a file, or look whether a variable of the shell is not set",
    );
    return false;
  }
  const name = file === '-' ? 'standard input' : file;
  const source = file === '-' ? io.stdin : createReadStream(path.resolve(io.cwd, file));
  let requests = 0;
  let spans = 0;
  let instead: string | undefined;
  const leftOut = createLimit(io, name);
  try {
    for await (const request of readRequests(source as AsyncIterable<Uint8Array>, name, decodeRequest)) {
      if (!request.ok) {
        say(io, `${request.where}: ${request.message}; ${expected}`);
        return false;
      }
      requests += 1;
      spans += request.received;
      instead ??= request.instead;
      for (const { index, reason } of request.rejections)
        leftOut.add(`${request.where}: span ${index} is left out: ${reason}`);
      for (const line of grader.offer(request)) leftOut.add(`${request.where}: ${line}`);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    say(io, `cannot read ${name}: ${explain(code, message)}`);
    return false;
  }
  leftOut.end();
  if (spans === 0) {
    const what = requests === 0 ? 'is empty' : `holds no spans${instead === undefined ? '' : `: it is ${instead}`}`;
    say(io, `warning: ${name} ${what}`);
  }
  return true;
}

/** Says the first few of many like lines, and at the end how many there were. */
function createLimit(io: CliIo, name: string): { readonly add: (line: string) => void; readonly end: () => void } {
  let count = 0;
  return {
    add(line) {
      count += 1;
      if (count <= MAX_LEFT_OUT_SAID) say(io, line);
    },
    end() {
      if (count > MAX_LEFT_OUT_SAID) say(io, `${name}: ${count} spans are left out in all`);
    },
  };
}

const expected = 'expected OTLP trace data: JSON (one request, or one a line), protobuf, or gzip of either';

function explain(code: string | undefined, message: string): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory; name the files in it';
  if (code === 'Z_BUF_ERROR') return 'the gzip data ends before its end; was the file copied while it was written?';
  if (code?.startsWith('Z_') === true) return `the gzip data is damaged (${message})`;
  return code ?? message;
}
