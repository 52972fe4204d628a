import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const example = path.join(root, 'examples/support-desk');

/** A change to the source of the app that takes one fault out of it, and the route whose verdict must then differ. */
interface Repair {
  readonly fault: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly route: string;
}

const REPAIRS: readonly Repair[] = [
  {
    fault: 'an allowlist that does not know invoice_id',
    file: 'src/handoff-filter.js',
    from: "'invoice_number'",
    to: "'invoice_id'",
    route: 'support_to_billing',
  },
  {
    fault: 'an account read under its old id',
    file: 'src/agents.js',
    from: 'context.account.previous_id ?? context.account.id',
    to: 'context.account.id',
    route: 'billing_to_support',
  },
  {
    fault: 'a serial number that the chat does not ask for',
    file: 'src/intake.js',
    from: "chat: ['received_at']",
    to: "chat: ['device_serial', 'received_at']",
    route: 'triage_to_support',
  },
  {
    fault: 'a handoff that declares billing and returns support',
    file: 'src/agents.js',
    from: 'isWeekend(context.received_at) ? support : billing',
    to: 'billing',
    route: 'triage_to_billing',
  },
  {
    fault: 'a processor that masks attribute values',
    file: 'src/tracing.js',
    from: 'new ConfidentialSpanProcessor(), ',
    to: '',
    route: 'billing_to_triage',
  },
];

// One run serves the tests that change nothing.
let asItIs: ReturnType<typeof demo> | undefined;

describe('seamtrace demo --once', () => {
  it('passes on the example as it is, and shows what a person needs', async () => {
    const { code, stdout, stderr } = await (asItIs ??= demo([]));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('all six verdicts') as string });
    expect(stdout).toMatch(
      /returned-dock +support → billing +packaging_loss +source_to_payload +invoice_id +team-support/,
    );
    expect(stdout).toMatch(/billed-twice +triage → billing ⇒ support +routing_mismatch/);
    expect(stdout).toMatch(/paid-for-repair: billing handed over state record \S+, support worked on \S+: /);
  });

  it.each(REPAIRS)('fails when the app is rid of $fault', async ({ file, from, to, route }) => {
    const app = copyOfExample();
    try {
      const source = readFileSync(path.join(app, file), 'utf8');
      expect(source.split(from), 'the fault stands once in the source').toHaveLength(2);
      writeFileSync(path.join(app, file), source.replace(from, to));
      const { code, stderr } = await demo(['--app', app]);
      expect(code).toBe(1);
      expect(stderr).toMatch(new RegExp(`^seamtrace: ${route}: expected `, 'm'));
    } finally {
      rmSync(app, { recursive: true });
    }
  });

  it('fails when the clean conversation is not clean any more', async () => {
    const app = copyOfExample();
    try {
      const file = path.join(app, 'src/conversations.js');
      const source = readFileSync(file, 'utf8');
      writeFileSync(
        file,
        source
          .replace("{ topic: 'newsletter' }", '{}')
          .replace("'transfer_to_triage', {}", "'transfer_to_triage', { note: 'x' }"),
      );
      const agents = path.join(app, 'src/agents.js');
      writeFileSync(
        agents,
        readFileSync(agents, 'utf8').replace(
          'topic: z.string()',
          'topic: z.string().optional(), note: z.string().optional()',
        ),
      );
      const { code, stderr } = await demo(['--app', app]);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^seamtrace: support_to_triage: expected verdict "passed", found "upstream_context_missing"$/m,
      );
    } finally {
      rmSync(app, { recursive: true });
    }
  });
});

describe('the example', () => {
  it('has no line of Seamtrace in its source and does not depend on it', () => {
    for (const file of readdirSync(path.join(example, 'src'))) {
      expect(readFileSync(path.join(example, 'src', file), 'utf8'), file).not.toMatch(/seamtrace/i);
    }
    const manifest = JSON.parse(readFileSync(path.join(example, 'package.json'), 'utf8')) as { dependencies: object };
    expect(Object.keys(manifest.dependencies).join()).not.toMatch(/seamtrace/);
  });

  it('runs alone, and says the same alone as with us', async () => {
    const alone = await node(['src/app.js'], example);
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await (asItIs ??= demo([]));
    expect(stdout.startsWith(alone.stdout)).toBe(true);
  });
});

it('the example with us ends well, its work done, when nobody takes its spans', async () => {
  // Port 9 (discard) is closed on a machine that runs tests; the short time limit is that of each export.
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '200' };
  const alone = await node(['src/app.js'], example);
  const seen = await node(['--import', '@seamtrace/instrumentation/register', 'src/app.js'], example, env);
  expect(seen).toMatchObject({ code: 0, stdout: alone.stdout });
  expect(seen.stderr).toMatch(/^traces were not delivered: /m);
});

/** A copy that finds the same packages. */
function copyOfExample(): string {
  const app = mkdtempSync(path.join(tmpdir(), 'support-desk-'));
  cpSync(example, app, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' });
  symlinkSync(path.join(root, 'node_modules'), path.join(app, 'node_modules'));
  return app;
}

function demo(args: readonly string[]) {
  return node([path.join(root, 'packages/cli/bin/seamtrace.js'), 'demo', '--once', ...args], root);
}

async function node(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, stdout, stderr };
}
