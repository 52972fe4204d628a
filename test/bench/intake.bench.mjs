import { gzipSync } from 'node:zlib';
import { grpcLoad, httpLoad } from './load.mjs';
import { leaveCoreToServices, pinning, startAnalyzer, unmeasurable } from './processes.mjs';
import { measureServices } from './services.mjs';
import { record } from './traffic.mjs';

export const name = 'intake';

/** One running analyzer, the same spans by every way in. What comes behind intake, up to the verdict, is part of it. */
export async function run() {
  if (unmeasurable !== undefined) return { rows: [], skipped: [unmeasurable] };
  const undo = leaveCoreToServices();
  const analyzer = await startAnalyzer({ args: ['--durability', 'none'], env: { SEAMTRACE_SETTLE_S: '1' } });
  const { protobuf, json } = record();
  const http = (type, coding = {}) => httpLoad(analyzer.traces, { 'content-type': type, ...coding });
  const gzip = (body) => gzipSync(body, { level: 6 });
  const loads = {
    protobuf: http('application/x-protobuf'),
    gzip: http('application/x-protobuf', { 'content-encoding': 'gzip' }),
    json: http('application/json'),
    grpc: await grpcLoad(analyzer.grpc),
  };
  try {
    const service = analyzer;
    const { rows } = await measureServices(
      [
        { name: 'HTTP protobuf', service, load: loads.protobuf, recorded: protobuf },
        { name: 'HTTP protobuf, gzip', service, load: loads.gzip, recorded: protobuf, encode: gzip },
        { name: 'HTTP JSON', service, load: loads.json, recorded: json },
        { name: 'gRPC', service, load: loads.grpc, recorded: protobuf },
      ],
      { rounds: 5, requests: 100, restMs: 2_000, warmUp: 300 },
    );
    return { rows, notes: [pinning] };
  } finally {
    for (const { close } of Object.values(loads)) close();
    await analyzer.stop();
    undo();
  }
}
