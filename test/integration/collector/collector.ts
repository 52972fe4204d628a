import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A collector's configuration as a plain value. Later ones of a list are merged over earlier ones, maps by member. */
export type CollectorConfig = Readonly<Record<string, unknown>>;

export interface CollectorProcess {
  /** Everything that it logged so far. */
  said(): string;
  /** SIGTERM; resolves when the process has ended. Its exporters try to empty their queues first. */
  stop(): Promise<void>;
}

/**
 * Starts a collector on configuration files and values, merged in this order. Resolves when it says that it runs, rejects
 * with what it logged when it ends before.
 */
export async function startCollectorProcess(
  binary: string,
  configs: readonly (string | CollectorConfig)[],
): Promise<CollectorProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-collector-'));
  const files = configs.map((config, at) => {
    if (typeof config === 'string') return config;
    const file = path.join(folder, `${at}.yaml`);
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(config));
    return file;
  });
  const args = files.flatMap((file) => ['--config', `file:${file}`]);
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const closed = once(child, 'close').then(() => rmSync(folder, { recursive: true }));
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('Everything is ready')) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    void closed.then(() => reject(new Error(`the collector ended and said:\n${said}`)));
  });
  return {
    said: () => said,
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** Loopback ports that nobody listens on now. The collector cannot tell which port it got, so it has to be told one. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Where a collector takes OTLP, as members of its `receivers`. */
export function otlpReceiver(ports: { readonly http: number; readonly grpc: number }): CollectorConfig {
  return {
    protocols: {
      http: { endpoint: `127.0.0.1:${ports.http}` },
      grpc: { endpoint: `127.0.0.1:${ports.grpc}` },
    },
  };
}

/** No metrics of the collector's own: they would take a fixed port. */
export const NO_TELEMETRY = { telemetry: { metrics: { level: 'none' }, logs: { level: 'info' } } } as const;
