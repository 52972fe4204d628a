import { beforeAll, describe, expect, it } from 'vitest';
import type { RecordedSpan } from '@seamtrace/testkit';
import { REGISTER } from '../run-app.js';
import { type ProcessesResult, runProcesses } from '../run-processes.js';

// A client and two servers, real processes, over stdio and over streamable HTTP. `support` is an agent by the name of its
// server; `search` of the other server is no agent, and a call of it is no handoff.

const contracts = {
  agents: { triage: {}, billing: { aliases: ['billing_agent'] }, support: {} },
  routes: {
    triage_to_billing: { from: 'triage', to: 'billing', version: '1', required: ['customer_id', 'invoice_id'] },
    billing_to_triage: { from: 'billing', to: 'triage', version: '1', required: ['refund_id'] },
    triage_to_support: { from: 'triage', to: 'support', version: '1', required: ['customer_id'] },
  },
};

interface Run extends ProcessesResult {
  readonly report: Readonly<Record<string, Record<string, unknown>>>;
  readonly counters: Readonly<Record<string, number>>;
}

async function run(version: string, transport: string, instrumented = true): Promise<Run> {
  const app = `frameworks/mcp/${version}/server.mjs`;
  const server = (name: string) => ({ app, args: [name, 'http'], env: { HANDOFF_API: '1' }, instrumented });
  const result = await runProcesses({
    contracts,
    servers: transport === 'http' ? { tools: server('tools'), support: server('support') } : {},
    clients: [
      (ready) => ({
        app: `frameworks/mcp/${version}/client.mjs`,
        args: [
          JSON.stringify({
            servers: { tools: ready['tools']?.['url'], support: ready['support']?.['url'] },
            folder: version,
            ...(instrumented ? { register: REGISTER } : {}),
          }),
        ],
        env: { OTEL_SERVICE_NAME: 'triage', HANDOFF_API: '1' },
        instrumented,
      }),
    ],
  });
  const [client] = result.clients;
  if (client?.code !== 0) throw new Error(client?.stderr);
  return { ...result, ...(JSON.parse(client.stdout) as Pick<Run, 'report' | 'counters'>) };
}

const VERDICTS = [
  ['passed', 'none', [], null],
  ['upstream_context_missing', 'before_handoff', ['invoice_id'], null],
  ['packaging_loss', 'source_to_payload', ['invoice_id'], null],
  // The tool's own schema left it out.
  ['ingestion_loss', 'payload_to_destination', ['invoice_id'], null],
  // The tool said by itself that its agent got less.
  ['ingestion_loss', 'payload_to_destination', ['invoice_id'], null],
  ['insufficient_evidence', 'source_capture', [], 'unsupported'],
  ['passed', 'none', [], null],
  // `failing`, `said`, `aborted`
  ['passed', 'none', [], null],
  ['passed', 'none', [], null],
  ['passed', 'none', [], null],
];

describe.each([
  ['newest', 'stdio'],
  ['newest', 'http'],
  ['oldest', 'stdio'],
  ['oldest', 'http'],
])('MCP %s over %s', (version, transport) => {
  let result: Run;
  beforeAll(async () => {
    result = await run(version, transport);
  });
  const named = (prefix: string, leg?: string) =>
    result.spans
      .filter(({ name, attributes }) => name.startsWith(prefix) && attributes.get('seamtrace.handoff.leg') === leg)
      .sort((a, b) => Number(a.startUnixNano - b.startUnixNano));
  const gradesOf = (spans: readonly RecordedSpan[]) =>
    spans.map(({ attributes }) =>
      result.grades.find(({ handoff_id: id }) => id === attributes.get('seamtrace.handoff.id')),
    );

  it('tells the verdicts apart, and takes no ordinary tool for an agent', () => {
    const grades = gradesOf(named('handoff '));
    expect(grades.map((grade) => [grade?.verdict, grade?.boundary, grade?.missing_keys, grade?.reason])).toEqual(
      VERDICTS,
    );
    expect(grades.map((grade) => grade?.target)).toEqual([
      ...['billing', 'billing', 'billing', 'billing_agent', 'billing', 'billing'],
      ...['support', 'billing', 'billing', 'billing'],
    ]);
  });

  it('tells how the runs ended, and takes an answer for a leg of its own', () => {
    const outcomes = gradesOf(named('handoff ')).map((grade) => grade?.run_outcome);
    expect(outcomes.slice(0, 9)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'run_error', 'ok']);
    const answers = gradesOf(named('ingest ', 'return'));
    // The way back from `support` is not declared, so it is not graded; an answer in prose proves nothing missing.
    expect(answers.map((grade) => grade?.verdict ?? 'not graded')).toEqual([
      ...Array.from({ length: 6 }, () => 'passed'),
      'not graded',
      'insufficient_evidence',
    ]);
  });

  it('joins the traces of both processes', () => {
    const findings = result.grades.flatMap((grade) => grade.findings.map(({ id }) => id));
    expect(findings.filter((id) => id === 'trace_broken')).toEqual([]);
    const [dispatch] = named('handoff ');
    const [ingest] = named('ingest triage_to_billing');
    expect(ingest?.traceId).toBe(dispatch?.traceId);
    expect(result.counters['internal_error']).toBe(0);
  });

  it('changes nothing of what the application sees', async () => {
    const without = await run(version, transport, false);
    expect(without.report).toEqual(result.report);
    const log = ({ clients: [client], servers }: Run) =>
      [client?.stderr ?? '', servers['tools']?.stdout ?? '', servers['support']?.stdout ?? '']
        .flatMap((text) => text.split('\n'))
        .filter((line) => line.startsWith('{"log"'))
        // Two servers of one client may exit in either order.
        .sort((a, b) => b.length - a.length)
        .map((line) => (JSON.parse(line) as { log: { args: unknown; meta: string[] }[] }).log)
        .map((calls) => calls.map(({ args, meta }) => [args, meta.filter((key) => key.startsWith('test/'))]));
    expect(log(without)).toEqual(log(result));
    expect(log(without).flat()).toHaveLength(11);
    expect(without.spans).toEqual([]);
  });
});
