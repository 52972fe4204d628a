// Measures cases side by side: in every round each case runs for a slice of time, one after the other, so that what
// else the machine does falls on all of them alike. Time is processor time of this process, garbage collection
// included: another process that takes the core does not look like slow code. Ratios are taken within a round, medians
// over the rounds.

/**
 * @typedef {{ name: string, work: () => number | Promise<number> }} Case `work` does some work and returns how many
 *   units of it there were.
 * @typedef {{ case: string, unit: string, perSecond: number, ratio: number, lowest: number, highest: number }} Row
 *   `ratio` is against the first case; `lowest` and `highest` are the extremes of the rounds' ratios.
 */

/**
 * @param {readonly Case[]} cases The first one is the yardstick.
 * @param {{ unit: string, rounds?: number, sliceMs?: number }} options
 * @returns {Promise<Row[]>}
 */
export async function measure(cases, { unit, rounds = 15, sliceMs = 200 }) {
  for (const { work } of cases) await slice(work, sliceMs * 3);
  const speeds = cases.map(() => []);
  for (let round = 0; round < rounds; round++) {
    // Backwards every other time: whoever runs second inherits the garbage of the first.
    const order = cases.map((_, at) => (round % 2 === 0 ? at : cases.length - 1 - at));
    for (const at of order) speeds[at][round] = await slice(cases[at].work, sliceMs);
  }
  return cases.map(({ name }, at) => {
    const ratios = speeds[at].map((speed, round) => speed / speeds[0][round]);
    return {
      case: name,
      unit,
      perSecond: median(speeds[at]),
      ratio: median(ratios),
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
    };
  });
}

async function slice(work, forMs) {
  const start = process.cpuUsage();
  let units = 0;
  let elapsedMs = 0;
  do {
    const done = work();
    units += typeof done === 'number' ? done : await done;
    const { user, system } = process.cpuUsage(start);
    elapsedMs = (user + system) / 1000;
  } while (elapsedMs < forMs);
  return (units / elapsedMs) * 1000;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
