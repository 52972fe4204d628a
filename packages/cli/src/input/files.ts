import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { DecodeResult } from '@seamtrace/core';
import { type CliIo, say } from '../io.js';
import { type Decode, readRequests } from './requests.js';

/** What the requests of files are fed to. */
export interface RequestSink {
  readonly decode: Decode;
  /** Takes the spans of one request; gives a line for each span that cannot be used. */
  readonly offer: (request: Extract<DecodeResult, { readonly ok: true }>) => readonly string[];
}

/**
 * Feeds every file to the sink; `-` is standard input. Says what is wrong, for all of them, so that every file which has to be
 * replaced is named at once, and returns false where one could not be read to its end.
 */
export async function readFiles(io: CliIo, files: readonly string[], sink: RequestSink): Promise<boolean> {
  if (files.filter((file) => file === '-').length > 1) {
    say(io, 'standard input (-) is named twice; it can be read once');
    return false;
  }
  let readable = true;
  for (const file of files) readable = (await readFile(io, file, sink)) && readable;
  return readable;
}

const MAX_LEFT_OUT_SAID = 10;

/** Feeds one file to the sink; says what is wrong and returns false where it cannot be read to its end. */
async function readFile(io: CliIo, file: string, sink: RequestSink): Promise<boolean> {
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
    for await (const request of readRequests(source as AsyncIterable<Uint8Array>, name, sink.decode)) {
      if (!request.ok) {
        say(io, `${request.where}: ${request.message}; ${expected}`);
        return false;
      }
      requests += 1;
      spans += request.received;
      instead ??= request.instead;
      for (const { index, reason } of request.rejections)
        leftOut.add(`${request.where}: span ${index} is left out: ${reason}`);
      for (const line of sink.offer(request)) leftOut.add(`${request.where}: ${line}`);
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
