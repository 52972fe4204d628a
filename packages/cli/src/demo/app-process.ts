import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { DemoPlace } from './place.js';

/** What the app itself says of one conversation. */
export interface Conversation {
  readonly id: string;
  readonly from: string;
  /** The desk that the model asked for. */
  readonly to: string;
}

export interface AppRun {
  readonly conversations: readonly Conversation[];
  readonly stdout: string;
}

/**
 * Runs the example app to its end: `node --import @seamtrace/instrumentation/register src/app.js`. Rejects with what it
 * printed where it fails.
 */
export async function runApp(place: DemoPlace, env: NodeJS.ProcessEnv): Promise<AppRun> {
  const args = ['--import', '@seamtrace/instrumentation/register', 'src/app.js'];
  const child = spawn(process.execPath, args, { cwd: place.app, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`the example app ended with exit code ${String(code)} and said:\n${stderr}`);
  const conversations: Conversation[] = [];
  for (const line of stdout.split('\n')) {
    const [, id, from, to] = /^([\w-]+): (\w+) → (\w+)/.exec(line) ?? [];
    if (id !== undefined && from !== undefined && to !== undefined) conversations.push({ id, from, to });
  }
  return { conversations, stdout };
}
