// Services that a bench measures from outside: children on a core of their own, their processor time read from the
// system. Linux only, since /proc is where it stands.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../packages/cli/bin/seamtrace.js', import.meta.url));
/** /proc counts in ticks of USER_HZ, which Linux keeps at 100 whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;

const contracts = `version: 1
agents: { triage: {}, billing: {} }
routes:
  triage_to_billing:
    from: triage
    to: billing
    version: '1'
    required: [customer_id, invoice_id]
    permitted: [customer_id, invoice_id, locale, order_total, plan]
`;

/** Why processes cannot be measured here; `undefined` where they can. */
export const unmeasurable = existsSync('/proc/self/stat')
  ? undefined
  : 'processor time of other processes is read from /proc, which this system does not have';

const pins = os.cpus().length > 1 && spawnSync('taskset', ['--version']).error === undefined;
export const pinning = pins ? 'the service on core 0, the load on the others' : 'not pinned (one core, or no taskset)';

/** Keeps this process off the core of the services until the returned function is called. */
export function leaveCoreToServices() {
  if (!pins) return () => undefined;
  const last = os.cpus().length - 1;
  spawnSync('taskset', ['-a', '-p', '-c', last === 1 ? '1' : `1-${last}`, String(process.pid)]);
  return () => spawnSync('taskset', ['-a', '-p', '-c', `0-${last}`, String(process.pid)]);
}

/** User and system time of a process, all of its threads, in seconds; steps of 10 ms. */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may hold anything, blanks and parentheses too; the fields begin behind its last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory in bytes: now, and the most there was. */
export function memoryBytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
}

/**
 * `seamtrace serve` with the contract file of the recorded traffic and a data directory of its own, on free ports. What
 * it keeps goes with it when it stops. `said` is what it logs.
 *
 * @param {{ args?: readonly string[], env?: Record<string, string>, node?: readonly string[] }} options
 */
export async function startAnalyzer({ args = [], env = {}, node = [] } = {}) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'seamtrace-bench-')));
  const file = path.join(folder, 'seamtrace.contracts.yaml');
  writeFileSync(file, contracts);
  const addresses = ['--otlp-http', '--otlp-grpc', '--admin'].flatMap((flag) => [flag, '127.0.0.1:0']);
  const data = ['--data', path.join(folder, 'data')];
  const command = [process.execPath, ...node, cli, 'serve', ...addresses, ...data, '--contracts', file, ...args];
  const service = start(command, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  const found = (pattern) => pattern.exec(service.said())?.[1];
  await service.until(() => found(/otlp-http listening on (\S+)/) && found(/admin listening on (\S+)/));
  const admin = found(/admin listening on (\S+)/);
  return {
    ...service,
    traces: `${found(/otlp-http listening on (\S+)/)}/v1/traces`,
    grpc: found(/otlp-grpc listening on https?:\/\/(\S+)/),
    metrics: `${admin}/metrics`,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A collector: OTLP in, `connector` from spans to metrics, Prometheus out. */
export async function startCollector(binary, connector, settings = {}) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'seamtrace-bench-')));
  const file = path.join(folder, 'collector.yaml');
  const [otlp, prometheus] = await freePorts(2);
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${otlp}` } } } },
    connectors: { [connector]: settings },
    exporters: { prometheus: { endpoint: `127.0.0.1:${prometheus}` } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: {
        traces: { receivers: ['otlp'], exporters: [connector] },
        metrics: { receivers: [connector], exporters: ['prometheus'] },
      },
    },
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  const service = start([binary, '--config', `file:${file}`], { cwd: folder, env: {} });
  await service.until(() => service.said().includes('Everything is ready'));
  return {
    ...service,
    traces: `http://127.0.0.1:${otlp}/v1/traces`,
    metrics: `http://127.0.0.1:${prometheus}/metrics`,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Nothing that a bench started outlives it, however it ends. */
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

function start(command, { cwd, env }) {
  const [file, ...args] = pins ? ['taskset', '-c', '0', ...command] : command;
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let said = '';
  let ended = false;
  const looks = new Set();
  child.stderr.on('data', (chunk) => {
    // What a long run logs is not what anybody waits for.
    if (said.length < 65_536) said += chunk;
    for (const look of looks) look();
  });
  const closed = once(child, 'close').then(() => {
    running.delete(child);
    ended = true;
    for (const look of looks) look();
  });
  const until = (done) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const isDone = done();
        if (!isDone && !ended) return;
        looks.delete(look);
        if (isDone) resolve();
        else reject(new Error(`${path.basename(command[0])} ended early and said:\n${said}`));
      };
      looks.add(look);
      look();
    });
  return {
    // taskset replaces itself by the command: the pid is the service's own.
    pid: child.pid,
    said: () => said,
    until,
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** The sum of all samples of one metric in the text format whose labels match. */
export async function scrape(url, name, labels = /(?:)/) {
  const response = await fetch(url);
  const text = await response.text();
  let sum = 0;
  for (const line of text.split('\n')) {
    const [, labelled = '', value] = /^[^{\s]+(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (line.startsWith(name) && /[{ ]/.test(line.charAt(name.length)) && labels.test(labelled)) sum += Number(value);
  }
  return sum;
}
