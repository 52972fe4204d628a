import { Readable, Writable } from 'node:stream';
import type { CliIo } from '../src/io.js';

export interface MemoryIo extends CliIo {
  readonly out: () => string;
  readonly err: () => string;
}

/** A process that keeps what it is told; `stdin` is given as bytes. */
export function memoryIo(options: { cwd?: string; env?: Record<string, string>; stdin?: Uint8Array } = {}): MemoryIo {
  const written = { out: '', err: '' };
  const into = (name: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written[name] += chunk.toString();
        done();
      },
    });
  return {
    stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    stdout: into('out'),
    stderr: into('err'),
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    out: () => written.out,
    err: () => written.err,
  };
}
