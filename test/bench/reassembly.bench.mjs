import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from './rounds.mjs';

export const name = 'reassembly';

const SIZES = [10_000, 100_000, 1_000_000];
const ROUNDS = 9;
const PIECES = 10_240;
const child = fileURLToPath(new URL('./open-handoffs.mjs', import.meta.url));

/**
 * Memory and pauses while so many handoffs are opened, then the processor time of a piece of evidence while as many stay
 * open: each piece opens a handoff or completes one of the open ones, anywhere among them, which is then graded. The
 * processes take turns, so that what else the machine does falls on all of them alike.
 */
export async function run() {
  const processes = [];
  try {
    const filled = [];
    for (const size of SIZES) {
      const process = start();
      processes.push(process);
      filled.push(await process.ask({ fill: size }));
      if (filled.at(-1).pending !== size) throw new Error(`${filled.at(-1).pending} are open and not ${size}`);
    }
    for (const process of processes) await process.ask({ churn: PIECES });
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const results = [];
      const order = round % 2 === 0 ? processes : [...processes].reverse();
      for (const process of order) results[processes.indexOf(process)] = await process.ask({ churn: PIECES });
      rounds.push(results);
    }
    return report(filled, rounds);
  } finally {
    for (const process of processes) process.stop();
  }
}

/** The collector works without helper threads: on a busy machine the process would wait for them, and nobody sees how long. */
function start() {
  const process = fork(child, { execArgv: ['--expose-gc', '--single-threaded-gc'] });
  const ended = once(process, 'exit').then(fail);
  // An end that nobody waits for is what `stop` is for.
  ended.catch(() => undefined);
  return {
    async ask(question) {
      process.send(question);
      const answered = new Promise((resolve) => process.once('message', resolve));
      return await Promise.race([answered, ended]);
    },
    stop: () => void (process.connected && process.send({ stop: true })),
  };
}

function fail([code]) {
  throw new Error(`the process with the open handoffs ended early with ${code}`);
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

function report(filled, rounds) {
  const speed = ({ offered, cpuMs }) => offered / (cpuMs / 1000);
  const rows = SIZES.map((size, at) => {
    const ratios = rounds.map((results) => speed(results[at]) / speed(results[0]));
    return {
      case: `${number.format(size)} open handoffs`,
      unit: 'pieces',
      perSecond: median(rounds.map((results) => speed(results[at]))),
      ratio: median(ratios),
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
    };
  });
  const perOpen = ({ rss, idle }, at) => (rss - idle) / SIZES[at];
  const figures = filled.flatMap((result, at) => [
    {
      what: `memory for each of ${number.format(SIZES[at])} open (RSS over idle)`,
      value: `${number.format(perOpen(result, at))} bytes, of which ${number.format(result.bytes / SIZES[at])} are accounted for`,
    },
    {
      what: `longest pause of the event loop at ${number.format(SIZES[at])} open`,
      value: `${result.pauseMs.toFixed(0)} ms while filling, ${longest(rounds, at).toFixed(0)} ms in operation`,
    },
  ]);
  const largest = SIZES.length - 1;
  const pause = Math.max(filled[largest].pauseMs, longest(rounds, largest));
  const bytes = perOpen(filled[largest], largest);
  const cost = 1 / rows[largest].ratio;
  return {
    rows,
    figures,
    targets: [
      {
        what: 'memory per open handoff at 1M (RSS over idle, two of three stages seen)',
        target: '≤ 1.5 KiB',
        measured: `${(bytes / 1024).toFixed(2)} KiB`,
        met: bytes <= 1536,
      },
      {
        what: 'longest event-loop pause at 1M',
        target: '≤ 100 ms',
        measured: `${pause.toFixed(0)} ms`,
        met: pause <= 100,
      },
      {
        what: 'CPU per piece at 1M open against 10k open',
        target: '≤ 1.15 ×',
        measured: `${cost.toFixed(2)} × (${(1 / rows[largest].highest).toFixed(2)} to ${(1 / rows[largest].lowest).toFixed(2)})`,
        met: cost <= 1.15,
      },
    ],
  };
}

function longest(rounds, at) {
  return Math.max(...rounds.map((results) => results[at].pauseMs));
}
