// Measures running services side by side: what rounds.mjs does within a process, for processes. In every round each case
// gets the same number of requests, one case after the other, then a rest in which it finishes what it owes, and one
// scrape of its metrics; all processor time of the service from the first byte to the end of the scrape counts.
import { setTimeout as rest } from 'node:timers/promises';
import { cpuSeconds } from './processes.mjs';
import { median } from './rounds.mjs';
import { replayed, SPANS_PER_REQUEST } from './traffic.mjs';

/**
 * @typedef {{ pid: number, metrics: string }} Service
 * @typedef {{ send: (bodies: readonly Buffer[]) => Promise<void> }} Load
 * @typedef {{ name: string, service: Service, load: Load, recorded: readonly import('./traffic.mjs').Recorded[], encode?: (body: Buffer) => Buffer }} ServiceCase
 *   Cases with one service share it: each replays on from where the last one ended.
 */

/**
 * @param {readonly ServiceCase[]} cases The first one is the yardstick.
 * @param {{ rounds: number, requests: number, restMs: number, warmUp: number }} options `warmUp` requests come first,
 *   unmeasured: a service is what it is after an hour, not while its code is still being compiled.
 * @returns {Promise<{ rows: readonly (import('./rounds.mjs').Row & { throughput: number })[], requests: Map<Service, number> }>}
 *   `requests` is how many each service got in all. `throughput` is spans per second of real time while they were sent,
 *   which depends on what else the machine does.
 */
export async function measureServices(cases, { rounds, requests, restMs, warmUp }) {
  const sent = new Map(cases.map(({ service }) => [service, 0]));
  const speeds = cases.map(() => []);
  const throughputs = cases.map(() => []);

  async function slice({ service, load, recorded, encode = (body) => body }, count) {
    const first = sent.get(service) + 1;
    sent.set(service, first + count - 1);
    const bodies = Array.from({ length: count }, (_, at) => encode(replayed(recorded, first + at)));
    const before = cpuSeconds(service.pid);
    const start = performance.now();
    await load.send(bodies);
    const sendMs = performance.now() - start;
    await rest(restMs);
    await (await fetch(service.metrics)).arrayBuffer();
    const spans = count * SPANS_PER_REQUEST;
    return { speed: spans / (cpuSeconds(service.pid) - before), throughput: (spans / sendMs) * 1000 };
  }

  for (const each of cases) await slice(each, warmUp);
  for (let round = 0; round < rounds; round++) {
    const order = cases.map((_, at) => (round % 2 === 0 ? at : cases.length - 1 - at));
    for (const at of order) {
      const { speed, throughput } = await slice(cases[at], requests);
      speeds[at][round] = speed;
      throughputs[at][round] = throughput;
    }
  }
  return {
    requests: sent,
    rows: cases.map(({ name }, at) => {
      const ratios = speeds[at].map((speed, round) => speed / speeds[0][round]);
      return {
        case: name,
        unit: 'spans',
        perSecond: median(speeds[at]),
        ratio: median(ratios),
        lowest: Math.min(...ratios),
        highest: Math.max(...ratios),
        throughput: median(throughputs[at]),
      };
    }),
  };
}
