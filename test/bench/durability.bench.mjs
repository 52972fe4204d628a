import { httpLoad } from './load.mjs';
import { leaveCoreToServices, pinning, startAnalyzer, unmeasurable } from './processes.mjs';
import { measureServices } from './services.mjs';
import { record } from './traffic.mjs';

export const name = 'durability';

const DURABILITIES = ['none', 'process', 'power'];

/** What it costs that an acknowledged span outlives the process, or the machine. */
export async function run() {
  const what = 'durable (process) against memory-only intake';
  const target = '≥ 0.7 ×';
  if (unmeasurable !== undefined) {
    return { rows: [], skipped: [unmeasurable], targets: [{ what, target, measured: undefined }] };
  }
  const undo = leaveCoreToServices();
  const services = [];
  try {
    for (const durability of DURABILITIES) {
      const args = ['--durability', durability];
      services.push(await startAnalyzer({ args, env: { SEAMTRACE_SETTLE_S: '1' } }));
    }
    const { protobuf: recorded } = record();
    const loads = services.map(({ traces }) => httpLoad(traces, { 'content-type': 'application/x-protobuf' }));
    const { rows } = await measureServices(
      services.map((service, at) => ({ name: DURABILITIES[at], service, load: loads[at], recorded })),
      { rounds: 5, requests: 200, restMs: 2_500, warmUp: 1_000 },
    );
    loads.forEach(({ close }) => close());
    const { ratio, lowest, highest } = rows[1];
    const measured = `${ratio.toFixed(2)} × (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
    return { rows, notes: [pinning], targets: [{ what, target, measured, met: ratio >= 0.7 }] };
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    undo();
  }
}
