import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { GradedHandoff } from '@seamtrace/core';
import { otlpTypes, type RecordedSpan, startCollector } from '@seamtrace/testkit';
import { gradeRequests, REGISTER } from './run-app.js';

const here = path.dirname(fileURLToPath(import.meta.url));

/** One process of a scenario. */
export interface ProcessOptions {
  /** Path below `test`, such as `frameworks/a2a/newest/server.mjs`. */
  readonly app: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** False runs it without us. */
  readonly instrumented?: boolean;
}

/** Several processes that talk to each other: servers that live as long as needed, and then one client after another. */
export interface ProcessesOptions {
  /** Contents of the contract file that all of them and the grading read. */
  readonly contracts?: Readonly<Record<string, unknown>>;
  readonly secret?: string;
  /** Each prints one line of JSON on stdout when it is ready, and exits when its stdin ends. */
  readonly servers?: Readonly<Record<string, ProcessOptions>>;
  /** Run one after the other. They are given what the servers printed, by name. */
  readonly clients: readonly ((ready: Readonly<Record<string, Ready>>) => ProcessOptions)[];
}

/** What a server printed when it was ready. */
export type Ready = Readonly<Record<string, unknown>>;

/** What the processes did. */
export interface ProcessesResult {
  /** Of each client: its exit code and what it printed. */
  readonly clients: readonly { readonly code: number | null; readonly stdout: string; readonly stderr: string }[];
  /** Of each server, by name: its exit code, and what it printed after it was ready. */
  readonly servers: Readonly<Record<string, { code: number | null; stdout: string; stderr: string }>>;
  readonly spans: readonly RecordedSpan[];
  readonly grades: readonly GradedHandoff[];
}

/**
 * Runs real processes that hand work to each other over loopback, with `--import @seamtrace/instrumentation/register`,
 * collects what all of them export over a real socket, and grades it as one file.
 */
export async function runProcesses(options: ProcessesOptions): Promise<ProcessesResult> {
  const { contracts, secret, servers = {}, clients } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'seamtrace-processes-'));
  const collector = await startCollector();
  const running = new Map<string, Running>();
  try {
    const file = path.join(folder, 'seamtrace.contracts.json');
    if (contracts !== undefined) await writeFile(file, JSON.stringify({ version: 1, ...contracts }));
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SCENARIO_FOLDER: folder,
      ...(contracts === undefined ? {} : { SEAMTRACE_CONTRACTS: file }),
      ...(secret === undefined ? {} : { SEAMTRACE_SECRET: secret }),
    };
    const ready: Record<string, Ready> = {};
    for (const [name, server] of Object.entries(servers)) {
      const started = start(server, env);
      running.set(name, started);
      ready[name] = JSON.parse(await started.firstLine) as Ready;
    }
    const done = [];
    for (const client of clients) done.push(await start(client(ready), env, true).ended);
    const ended: Record<string, Ended> = {};
    for (const [name, server] of running) {
      server.child.stdin?.end();
      ended[name] = await server.ended;
    }
    const { traceRequest } = otlpTypes;
    const bodies = collector.requests.map(({ message }) =>
      traceRequest.encode(traceRequest.fromObject(message)).finish(),
    );
    return { clients: done, servers: ended, spans: [...collector.spans], grades: gradeRequests(bodies, contracts) };
  } finally {
    for (const { child } of running.values()) if (child.exitCode === null) child.kill('SIGKILL');
    await collector.close();
    await rm(folder, { recursive: true });
  }
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ended>;
}

function start(options: ProcessOptions, env: Readonly<Record<string, string>>, once = false): Running {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(OTEL|SEAMTRACE|OPENAI|VITEST|NODE_|LANGSMITH|LANGCHAIN|GOOGLE|AWS)/.test(name),
  );
  const app = path.resolve(here, '..', options.app);
  const hook = options.instrumented === false ? [] : ['--import', REGISTER];
  const child = spawn(process.execPath, [...hook, app, ...(options.args ?? [])], {
    cwd: path.dirname(app),
    env: { ...Object.fromEntries(inherited), ...env, ...options.env },
    stdio: [once ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const stderr: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  const output = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  let first: ((line: string) => void) | undefined;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: lines.join('\n'), stderr: Buffer.concat(stderr).toString() }));
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    first = resolve;
    void ended.then((end) => reject(new Error(`${options.app} ended before it was ready: ${end.stderr}`)));
  });
  if (once) firstLine.catch(() => undefined);
  output.on('line', (line) => {
    if (!once && first !== undefined) {
      first(line);
      first = undefined;
    } else lines.push(line);
  });
  return { child, firstLine, ended };
}
