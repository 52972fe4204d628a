import { createHash } from 'node:crypto';
import type { GradedHandoff } from '@seamtrace/core';
import { type ProcessesResult, type ProcessOptions, runProcesses } from '../run-processes.js';

/** Contracts of all A2A scenarios: both legs are declared. */
export const contracts = {
  agents: { triage: {}, billing: { aliases: ['Billing Agent'] }, support: {} },
  routes: {
    triage_to_billing: { from: 'triage', to: 'billing', version: '1', required: ['customer_id', 'invoice_id'] },
    billing_to_triage: { from: 'billing', to: 'triage', version: '1', required: ['refund_id'] },
  },
};

export interface PairOptions {
  readonly version: string;
  /** The same by default. */
  readonly serverVersion?: string;
  /** Names of scenarios in `apps/scenarios.mjs`. */
  readonly names: readonly string[];
  readonly client?: Partial<ProcessOptions>;
  readonly server?: Partial<ProcessOptions>;
  /** How client and server trace by themselves; see `apps/tracing.mjs`. */
  readonly clientMode?: string;
  readonly serverMode?: string;
  readonly contracts?: Readonly<Record<string, unknown>>;
}

export interface PairResult extends ProcessesResult {
  /** What the client saw in each scenario. */
  readonly report: Readonly<Record<string, Record<string, unknown>>>;
  readonly counters: Readonly<Record<string, number>>;
  /** What the executor saw of each message. */
  readonly seen: readonly { readonly metadata: readonly string[]; readonly extensions: readonly string[] }[];
  /** The grade of a scenario's first message, or of its answer. */
  readonly grade: (scenario: string, leg?: 'forward' | 'return') => GradedHandoff | undefined;
  readonly idOf: (scenario: string, leg?: 'forward' | 'return') => string;
}

/** Runs scenarios between two real processes: `triage`, and `billing` behind an A2A server; `support` is the wrong one. */
export async function runPair(options: PairOptions): Promise<PairResult> {
  const { version, names, clientMode = 'none', serverMode = 'none' } = options;
  const app = `frameworks/a2a/${options.serverVersion ?? version}/server.mjs`;
  const result = await runProcesses({
    contracts: options.contracts ?? contracts,
    servers: {
      billing: { app, args: ['billing', serverMode], ...options.server },
      support: { app, args: ['support', serverMode], ...options.server },
    },
    clients: [
      (ready) => {
        const [billing, support] = [ready['billing'], ready['support']].map((each) => each?.['card'] as object);
        const cards = { billing, support, misrouted: { ...support, name: 'billing' } };
        return {
          app: `frameworks/a2a/${version}/client.mjs`,
          args: [JSON.stringify({ cards, names, mode: clientMode })],
          ...options.client,
          env: { OTEL_SERVICE_NAME: 'triage', ...options.client?.env },
        };
      },
    ],
  });
  const [client] = result.clients;
  if (client?.code !== 0) throw new Error(`the client failed: ${client?.stderr}`);
  const { report, messages, counters } = JSON.parse(client.stdout) as {
    report: PairResult['report'];
    messages: Record<string, string[]>;
    counters: Record<string, number>;
  };
  const { seen } = JSON.parse(result.servers['billing']?.stdout ?? '') as { seen: PairResult['seen'] };
  const idOf = (scenario: string, leg = 'forward'): string => {
    const forward = derive(['', messages[scenario]?.[0] ?? '', 'billing']);
    return leg === 'forward' ? forward : derive([forward, '1', 'return']);
  };
  return {
    ...result,
    report,
    counters,
    seen,
    idOf,
    grade: (scenario, leg) => result.grades.find(({ handoff_id: id }) => id === idOf(scenario, leg)),
  };
}

/** The id as it is documented: of the message, since its own id is long enough to be unique, and the target. */
function derive(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return `a2a.${hash.digest('hex').slice(0, 32)}`;
}
