import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a directory and those above it that are missing, for the user of the process alone. Throws the system's error.
 * The `recursive` of Node.js never comes back where a directory that is there answers ENOENT, as those under `/proc` do.
 */
export function makeDirectory(directory: string): void {
  if (existsSync(directory) && statSync(directory).isDirectory()) return;
  const parent = path.dirname(directory);
  if (parent !== directory && !existsSync(parent)) makeDirectory(parent);
  mkdirSync(directory, { mode: 0o700 });
}
