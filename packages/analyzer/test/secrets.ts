import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Certificate, createAuthority } from '@seamtrace/testkit';
import { afterEach } from 'vitest';

// Files with tokens and certificates. Importing it removes them after each test.

export const AUTHORITY = createAuthority('seamtrace tests');
export const STRANGER = createAuthority('somebody else');

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

export function secrets() {
  const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-secrets-'));
  folders.push(folder);
  let written = 0;
  const file = (name: string): string => path.join(folder, name);
  /** Writes a file so that it is seen to have changed, however soon after the last time. */
  function write(name: string, text: string): string {
    writeFileSync(file(name), text);
    written += 1;
    utimesSync(file(name), new Date(), new Date(Date.now() - 1_000_000 + written * 1000));
    return file(name);
  }
  return {
    file,
    write,
    tls({ cert, key }: Certificate) {
      return { tlsCert: write('tls.crt', cert), tlsKey: write('tls.key', key) };
    },
  };
}
