import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { Metadata, credentials, status } from '@grpc/grpc-js';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { grpcClient, grpcSend } from '../../test/grpc-receiver.js';
import { BODY, PROTOBUF, send } from '../../test/receiver.js';
import { AUTHORITY, secrets } from '../../test/secrets.js';
import { resolveAnalyzerConfig } from '../config/resolve.js';
import type { AnalyzerOptions } from '../config/types.js';
import { startAnalyzer } from './start.js';
import type { RunningAnalyzer } from './types.js';

const FREE = { host: '127.0.0.1', port: 0 };
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(options: AnalyzerOptions = {}) {
  const log: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  const defaults = { otlpHttp: FREE, otlpGrpc: FREE, admin: FREE, stopTimeoutMs: 0, logger: pino(stream) };
  const resolved = resolveAnalyzerConfig({ ...defaults, ...options });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.problems));
  const analyzer = await startAnalyzer(resolved.config);
  cleanUps.push(() => analyzer.stop());
  const warnings = () => log.filter(({ level }) => Number(level) >= 40).map(({ msg }) => String(msg));
  return { analyzer, warnings };
}

async function metric(
  analyzer: RunningAnalyzer,
  name: string,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${analyzer.admin.port}/metrics`, { headers });
  return (await response.text()).split('\n').filter((line) => line.startsWith(name));
}

async function occupied(
  port = 0,
  host = '127.0.0.1',
): Promise<{ readonly port: number; readonly server: Server } | undefined> {
  const server = createServer();
  cleanUps.push(() => server.close());
  server.listen(port, host);
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => undefined);
  return server.listening ? { port: (server.address() as AddressInfo).port, server } : undefined;
}

describe('gRPC beside HTTP', () => {
  it('counts what came over each by its transport and its own codes', async () => {
    const { analyzer } = await start();
    const client = grpcClient(analyzer.otlpGrpc!.port);
    expect((await grpcSend(client, BODY)).code).toBe(status.OK);
    expect((await grpcSend(client, Buffer.from([0xff]))).code).toBe(status.INVALID_ARGUMENT);
    expect((await send(analyzer.otlpHttp.port, BODY)).status).toBe(200);
    expect((await metric(analyzer, 'seamtrace_analyzer_requests_total')).sort()).toEqual([
      'seamtrace_analyzer_requests_total{transport="grpc",encoding="protobuf",code="INVALID_ARGUMENT"} 1',
      'seamtrace_analyzer_requests_total{transport="grpc",encoding="protobuf",code="OK"} 1',
      'seamtrace_analyzer_requests_total{transport="http",encoding="protobuf",code="200"} 1',
    ]);
  });

  it('takes what the OpenTelemetry SDK for Node.js exports', async () => {
    const { analyzer } = await start();
    const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${analyzer.otlpGrpc!.port}` });
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    cleanUps.push(() => provider.shutdown());
    provider
      .getTracer('app')
      .startSpan('handoff billing', {
        attributes: { 'seamtrace.handoff.id': 'h-001', 'seamtrace.handoff.role': 'dispatch' },
      })
      .end();
    await provider.forceFlush();
    expect(await metric(analyzer, 'seamtrace_analyzer_spans_total{outcome="accepted"}')).toEqual([
      'seamtrace_analyzer_spans_total{outcome="accepted"} 1',
    ]);
  });

  it('takes what it exports with a token over TLS', async () => {
    const ingestSecurity = { tokens: ['sesame'], ...secrets().tls(AUTHORITY.issue('analyzer')) };
    const { analyzer } = await start({ ingestSecurity });
    const metadata = new Metadata();
    metadata.set('authorization', 'Bearer sesame');
    const exporter = new OTLPTraceExporter({
      url: `https://127.0.0.1:${analyzer.otlpGrpc!.port}`,
      credentials: credentials.createSsl(Buffer.from(AUTHORITY.cert)),
      metadata,
    });
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    cleanUps.push(() => provider.shutdown());
    provider.getTracer('app').startSpan('work').end();
    await provider.forceFlush();
    expect(await metric(analyzer, 'seamtrace_analyzer_requests_total{')).toEqual([
      'seamtrace_analyzer_requests_total{transport="grpc",encoding="protobuf",code="OK"} 1',
    ]);
  });

  it('can be off', async () => {
    const { analyzer, warnings } = await start({ otlpGrpc: 'off' });
    expect(analyzer.otlpGrpc).toBeUndefined();
    expect(warnings()).toEqual([]);
  });

  it('keeps the service from starting where its address was asked for and is taken', async () => {
    const taken = await occupied();
    await expect(start({ otlpGrpc: { host: '127.0.0.1', port: taken!.port } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      option: 'otlpGrpc',
      port: taken!.port,
    });
  });

  it('is gone without, and said so, where nobody asked for its default address and that is taken', async () => {
    // Whoever has the port already, this process or another, will do.
    await occupied(4317);
    const { analyzer, warnings } = await start({ otlpGrpc: undefined });
    expect(analyzer.otlpGrpc).toBeUndefined();
    expect(warnings()).toEqual([expect.stringContaining('OTLP over gRPC is not available')]);
    expect((await send(analyzer.otlpHttp.port, BODY)).status).toBe(200);
  });
});

describe('who may speak to the service', () => {
  it('is said once where that is everybody on a network', async () => {
    const { warnings } = await start({ otlpHttp: { host: '0.0.0.0', port: 0 } });
    expect(warnings()).toEqual([expect.stringContaining('OTLP is taken from everybody')]);
    const { warnings: guarded } = await start({
      otlpHttp: { host: '0.0.0.0', port: 0 },
      ingestSecurity: { tokens: ['sesame'] },
    });
    expect(guarded()).toEqual([]);
    expect((await start()).warnings()).toEqual([]);
  });

  it('is decided for ingest and admin apart', async () => {
    const { analyzer } = await start({ ingestSecurity: { tokens: ['in'] }, adminSecurity: { tokens: ['up'] } });
    const ask = (token: string) => send(analyzer.otlpHttp.port, BODY, PROTOBUF, { authorization: `Bearer ${token}` });
    expect((await ask('in')).status).toBe(200);
    expect((await ask('up')).status).toBe(403);
    expect(await metric(analyzer, 'seamtrace', { authorization: 'Bearer in' })).toEqual([]);
    expect(await metric(analyzer, 'seamtrace', { authorization: 'Bearer up' })).not.toEqual([]);
  });

  it('can be changed while it runs; what cannot be used is counted and changes nothing', async () => {
    const files = secrets();
    const { analyzer, warnings } = await start({ ingestSecurity: { tokenFile: files.write('tokens', 'old') } });
    const ask = (token: string) => send(analyzer.otlpHttp.port, BODY, PROTOBUF, { authorization: `Bearer ${token}` });
    files.write('tokens', '# nothing');
    analyzer.reload();
    expect((await ask('old')).status).toBe(200);
    files.write('tokens', 'new');
    analyzer.reload();
    expect([(await ask('old')).status, (await ask('new')).status]).toEqual([401, 200]);
    expect((await metric(analyzer, 'seamtrace_analyzer_credentials_reloads_total')).sort()).toEqual([
      'seamtrace_analyzer_credentials_reloads_total{listener="ingest",outcome="renewed"} 1',
      'seamtrace_analyzer_credentials_reloads_total{listener="ingest",outcome="unusable"} 1',
    ]);
    await vi.waitFor(() => expect(warnings()).toContainEqual(expect.stringContaining('stay in force')));
  });

  it('is a problem of the configuration where the files cannot be read', () => {
    const resolved = resolveAnalyzerConfig({
      ingestSecurity: { tokenFile: '/nowhere/tokens', tlsCert: '/nowhere/crt', clientCa: '/nowhere/ca' },
      adminSecurity: { tokens: ['a b'], tokenfile: 'x' } as object,
    });
    expect(resolved.ok ? [] : resolved.problems.map(({ where }) => where)).toEqual([
      'ingestSecurity.tlsKey',
      'ingestSecurity.clientCa',
      'adminSecurity.tokenfile',
    ]);
    const unreadable = resolveAnalyzerConfig({ ingestSecurity: { tokens: ['a b'], tokenFile: '/nowhere/tokens' } });
    expect(unreadable.ok ? [] : unreadable.problems).toEqual([
      { where: 'ingestSecurity.tokens', message: expect.not.stringContaining('a b') },
      { where: 'ingestSecurity.tokenFile', message: 'cannot read /nowhere/tokens (ENOENT)' },
    ]);
  });
});
