import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ANALYZER_DEFAULTS } from '@seamtrace/analyzer';
import { METRICS } from '@seamtrace/semconv';
import { encodeJson, traceRequest } from '@seamtrace/testkit';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
  'examples/support-desk/README.md',
];

it.each(pages)('every link in %s leads to a page and a heading that exist', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '');
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (target === undefined || /^[a-z]+:/.test(target)) continue;
    const [file = '', heading] = target.split('#');
    const full = file === '' ? path.join(root, page) : path.resolve(root, path.dirname(page), file);
    expect(existsSync(full), `${page}: ${target}`).toBe(true);
    if (heading !== undefined) expect(headings(full), `${page}: ${target}`).toContain(heading);
  }
});

it('the commands that README and CONTRIBUTING name are scripts of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/guides/getting-started.md']) {
    const text = readFileSync(path.join(root, page), 'utf8');
    for (const [, name] of text.matchAll(/`npm run ([\w:]+)/g)) expect(Object.keys(scripts), page).toContain(name);
  }
});

it('the operating guide has every metric of the analyzer about itself, and no other', () => {
  const guide = readFileSync(path.join(root, 'docs/guides/operating.md'), 'utf8');
  const named = new Set([...guide.matchAll(/^\| `(seamtrace_\w+)`/gm)].map(([, name]) => name));
  const own = METRICS.map(({ prometheusName }) => prometheusName).filter((name) =>
    name.startsWith('seamtrace_analyzer_'),
  );
  expect([...named].sort()).toEqual(own.sort());
});

it('the operating guide names the limits that apply', () => {
  const guide = readFileSync(path.join(root, 'docs/guides/operating.md'), 'utf8');
  const { maxPending, maxStateBytes, maxBodyBytes, maxJournalPendingBytes, stopTimeoutMs, retentionMs } =
    ANALYZER_DEFAULTS;
  expect(guide).toContain(`\`max_pending\` (${maxPending.toLocaleString('en')})`);
  expect(guide).toContain(`twice \`max_body_bytes\`: ${(2 * maxBodyBytes) / 1024 ** 2} MiB`);
  expect(guide).toContain(`\`max_journal_pending_bytes\`: ${maxJournalPendingBytes / 1024 ** 2} MiB`);
  expect(guide).toContain(`${stopTimeoutMs / 1000} s is \`stop_timeout_s\``);
  expect(guide).toContain(`\`max_state_bytes\` (${maxStateBytes / 1024 ** 2} MiB)`);
  // An eighth of the bytes is for tool calls, and a graded handoff takes about a kilobyte.
  const held = (maxStateBytes * 7) / 8 / 1000;
  expect(guide).toContain(`enough for ${Math.floor(held / (retentionMs / 1000))} handoffs a second`);
});

it.each(['docs/guides/operating.md', 'docs/reference/config.md'])(
  'serve takes the settings of the file in %s',
  (page) => {
    const [file = ''] = blocks(page, 'yaml').filter((block) => block.startsWith('# seamtrace.config.yaml\n'));
    expect(file).not.toBe('');
    const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-docs-'));
    try {
      // With a wrong setting beside them, which keeps the service from starting: only that one is a problem.
      writeFileSync(path.join(folder, 'seamtrace.config.yaml'), `${file}not_a_setting: 1\n`);
      const cli = path.join(root, 'packages/cli/bin/seamtrace.js');
      const done = spawnSync(process.execPath, [cli, 'serve'], { cwd: folder, encoding: 'utf8' });
      expect(done.status).toBe(2);
      expect(done.stderr).toMatch(/has (1|a) problem.*\n.*not_a_setting.*\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it('README shows the demo as it prints it', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const conversations = readFileSync(path.join(root, 'examples/support-desk/src/conversations.js'), 'utf8');
  const ids = [...conversations.matchAll(/^ {4}id: '([\w-]+)'/gm)].map(([, id]) => id ?? '');
  expect(ids).toHaveLength(6);
  for (const id of ids) expect(readme).toMatch(new RegExp(`^${id} `, 'm'));
});

it.each(['README.md', 'docs/guides/getting-started.md'])('the contract file in %s has nothing to lint', (page) => {
  const [file = ''] = blocks(page, 'yaml').filter((block) => block.startsWith('version: 1\n'));
  const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-docs-'));
  try {
    writeFileSync(path.join(folder, 'seamtrace.contracts.yaml'), file);
    const cli = path.join(root, 'packages/cli/bin/seamtrace.js');
    const done = spawnSync(process.execPath, [cli, 'contracts', 'lint'], { cwd: folder, encoding: 'utf8' });
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toMatch(/^seamtrace\.contracts\.yaml: 2 agents, 1 route \(/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('getting-started packs and installs all of ours that the instrumentation needs', () => {
  const needed = new Set<string>();
  const need = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    const manifest = readFileSync(path.join(root, 'packages', name.replace('@seamtrace/', ''), 'package.json'), 'utf8');
    const { dependencies = {}, version } = JSON.parse(manifest) as { dependencies?: object; version: string };
    expect(guide).toContain(`../tarballs/${name.slice(1).replace('/', '-')}-${version}.tgz`);
    Object.keys(dependencies)
      .filter((dependency) => dependency.startsWith('@seamtrace/'))
      .forEach(need);
  };
  const guide = readFileSync(path.join(root, 'docs/guides/getting-started.md'), 'utf8');
  need('@seamtrace/instrumentation');
  const packed = [...(/^npm pack .+$/m.exec(guide)?.[0] ?? '').matchAll(/-w (\S+)/g)].map(([, name]) => name);
  expect(packed.sort()).toEqual([...needed].sort());
});

it('the hand-stamped handoff in the wire contract is graded as it says', () => {
  // The attributes of the example, read from its text, with one handoff whose message lacks a key.
  const [code = ''] = blocks('docs/wire.md', 'python');
  const stage = (name: string, keys: string[]) =>
    [...code.matchAll(/f"(seamtrace\.\{name\}\.\w+)": (.+),/g)].map(([, key = '', value = '']) => {
      const made: Record<string, AttributeInput> = {
        keys,
        'len(keys)': BigInt(keys.length),
        '\\n': createHash('sha256').update(keys.join('\n')).digest('hex').slice(0, 16),
        True: true,
      };
      const [, found] = Object.entries(made).find(([token]) => value === token || value.includes(`"${token}"`)) ?? [];
      expect(found, value).toBeDefined();
      return [key.replace('{name}', name), found] as const;
    });
  const identity = [...code.matchAll(/^ {8}"([\w.]+)": (.+),$/gm)].map(
    ([, key = '', value = '']) => [key, value === 'str(uuid4())' ? 'py-1' : (JSON.parse(value) as string)] as const,
  );
  const both = ['customer_id', 'invoice_id'];
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'invoke_agent billing',
    startUnixNano: 1n,
    endUnixNano: 2n,
    attributes: Object.fromEntries([
      ...identity,
      ...stage('source', both),
      ...stage('payload', ['customer_id']),
      ...stage('destination', ['customer_id']),
    ]) as Record<string, AttributeInput>,
  };
  const cli = path.join(root, 'packages/cli/bin/seamtrace.js');
  const input = encodeJson(traceRequest([span as never]));
  const done = spawnSync(process.execPath, [cli, 'grade', '-', '--format', 'json'], { input, encoding: 'utf8' });
  expect(JSON.parse(done.stdout)).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['invoice_id'] });
});

/** The code blocks of one language. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block);
}

type AttributeInput = string | boolean | bigint | readonly string[];

/** Anchors as GitHub makes them. */
function headings(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}
