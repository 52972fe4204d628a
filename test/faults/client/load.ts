import { setTimeout as sleep } from 'node:timers/promises';
import type { Piece } from '../judge/piece.js';
import type { Random } from '../random.js';
import type { Sender } from './sender.js';
import { type Pace, tellStory } from './story.js';

export interface LoadParts {
  readonly random: Random;
  readonly pace: Pace;
  readonly senders: readonly Sender[];
  readonly familiesPerSecond: number;
}

export interface Load {
  /** No new families; resolves when everything planned is sent. */
  finish(): Promise<void>;
  families(): number;
}

const TURN_MS = 20;
const LARGEST_BATCH = 40;

/**
 * New handoffs all the time, each piece at its own time and on a sender of its own: batches mix handoffs, and the pieces
 * of one handoff come over different connections, in any order.
 */
export function startLoad({ random, pace, senders, familiesPerSecond }: LoadParts): Load {
  const queues: { readonly at: number; readonly piece: Piece }[][] = senders.map(() => []);
  const sending = senders.map(() => 0);
  const started = Date.now();
  let families = 0;
  let open = true;

  function plan(): void {
    const due = ((Date.now() - started) / 1000) * familiesPerSecond;
    for (; families < due; families += 1) {
      const at = Date.now();
      for (const { afterMs, piece } of tellStory(`h-${families}`, random, pace)) {
        queues[random.below(queues.length)]!.push({ at: at + afterMs, piece });
      }
    }
  }

  async function run(index: number): Promise<void> {
    const queue = queues[index]!;
    while (open || queue.length > 0) {
      const now = Date.now();
      const ready = queue.filter(({ at }) => at <= now).slice(0, 1 + random.below(LARGEST_BATCH));
      if (ready.length === 0) {
        await sleep(TURN_MS);
        continue;
      }
      const taken = new Set(ready);
      queues[index]!.splice(0, queue.length, ...queue.filter((one) => !taken.has(one)));
      sending[index]! += 1;
      await senders[index]!.send(ready.map(({ piece }) => piece));
    }
  }

  async function feed(): Promise<void> {
    while (open) {
      plan();
      await sleep(TURN_MS);
    }
  }

  const done = Promise.all([feed(), ...senders.map((_, index) => run(index))]);
  done.catch(() => undefined);
  return {
    families: () => families,
    async finish() {
      open = false;
      await done;
    },
  };
}
