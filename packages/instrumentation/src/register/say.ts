import { writeSync } from 'node:fs';

const said = new Set<string>();

/** One line on stderr, once. Written at once, since the process may be about to exit. Never throws. */
export function say(line: string): void {
  const text = `seamtrace: ${line.replace(/\s*\n\s*/g, ' ')}`;
  if (said.has(text)) return;
  said.add(text);
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // stderr is closed or full; there is nobody to tell.
  }
}
