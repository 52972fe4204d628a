import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContracts } from '@seamtrace/contracts';
import {
  createLedger,
  decodeTracesProtobuf,
  EVERY_TRACE,
  extractEvidence,
  type GradedHandoff,
  packOutline,
} from '@seamtrace/core';
import { otlpTypes, type RecordedSpan, startCollector } from '@seamtrace/testkit';
import { checkBuild } from './build-age.js';

const here = path.dirname(fileURLToPath(import.meta.url));
export const REGISTER = path.resolve(here, '../../packages/instrumentation/dist/register.js');

/** How an application of `test/frameworks` is run. */
export interface AppOptions {
  /** Path below `test/frameworks`, such as `langgraph/apps/swarm.mjs`. */
  readonly app: string;
  readonly args?: readonly string[];
  /** Contents of the contract file that the app and the grading read. */
  readonly contracts?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** False runs the same application without us. */
  readonly instrumented?: boolean;
  /** Another Node.js than this one. */
  readonly node?: string;
  readonly nodeArgs?: readonly string[];
  readonly secret?: string;
}

/** What an application did, as its process and its spans tell. */
export interface AppResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly spans: readonly RecordedSpan[];
  /** What the analyzer's own grading makes of all spans. */
  readonly grades: readonly GradedHandoff[];
}

/**
 * Runs an application as a process of its own with `--import @seamtrace/instrumentation/register`, nothing of this
 * process's settings and no key of anybody's, collects what it exports over a real socket, and grades it.
 */
export async function runApp(options: AppOptions): Promise<AppResult> {
  if (options.instrumented !== false) checkBuild();
  const { app, args = [], contracts, env = {}, instrumented = true, nodeArgs = [], secret } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'seamtrace-app-'));
  const collector = await startCollector();
  try {
    const file = path.join(folder, 'seamtrace.contracts.json');
    if (contracts !== undefined) await writeFile(file, JSON.stringify({ version: 1, ...contracts }));
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(OTEL|SEAMTRACE|OPENAI|VITEST|NODE_|LANGSMITH|LANGCHAIN|GOOGLE|AWS)/.test(name),
    );
    const hook = instrumented ? ['--import', REGISTER] : [];
    const child = spawn(options.node ?? process.execPath, [...hook, ...nodeArgs, path.join(here, app), ...args], {
      cwd: path.dirname(path.join(here, app)),
      env: {
        ...Object.fromEntries(inherited),
        // The line at start is no news in most tests.
        SEAMTRACE_LOG: 'error',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        ...(contracts === undefined ? {} : { SEAMTRACE_CONTRACTS: file }),
        ...(secret === undefined ? {} : { SEAMTRACE_SECRET: secret }),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    const { traceRequest } = otlpTypes;
    const bodies = collector.requests.map(({ message }) =>
      traceRequest.encode(traceRequest.fromObject(message)).finish(),
    );
    return {
      code,
      stdout: Buffer.concat(stdout).toString(),
      stderr: Buffer.concat(stderr).toString(),
      spans: [...collector.spans],
      grades: gradeRequests(bodies, contracts),
    };
  } finally {
    await collector.close();
    await rm(folder, { recursive: true });
  }
}

/** Grades trace requests in protobuf as `seamtrace grade` does a file. */
export function gradeRequests(bodies: readonly Uint8Array[], file: AppOptions['contracts']): readonly GradedHandoff[] {
  const contracts = file === undefined ? undefined : createContracts({ version: 1, ...file } as never);
  const ledger = createLedger({ contracts });
  for (const body of bodies) {
    const decoded = decodeTracesProtobuf(body);
    if (!decoded.ok) throw new Error(decoded.message);
    for (const span of decoded.spans) {
      const extracted = extractEvidence(span);
      if (!extracted.ok) throw new Error(extracted.reason);
      if (extracted.evidence !== undefined) ledger.add(extracted.evidence);
    }
    if (decoded.outline !== undefined) {
      const packed = packOutline(decoded.outline, EVERY_TRACE);
      if (packed !== undefined) ledger.addOutline(packed);
    }
  }
  return ledger.grade();
}

/** The spans whose name starts so, in order of arrival. */
export function spansNamed(result: AppResult, prefix: string): readonly RecordedSpan[] {
  return result.spans.filter(({ name }) => name.startsWith(prefix));
}
