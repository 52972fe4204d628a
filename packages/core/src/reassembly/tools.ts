import type { ToolEvidence } from '../evidence/types.js';
import { byCodeUnit } from '../evidence/distinct.js';
import { type Place, createQueue } from './queue.js';

/** Tool calls by the handoff that started their run. */
export interface ToolCalls {
  add(handoffId: string, tool: ToolEvidence, now: number): 'added' | 'duplicate' | 'dropped';
  /** In the order of their start, so that the order of receipt cannot change a grade. */
  of(handoffId: string): readonly ToolEvidence[];
  remove(handoffId: string): void;
  /** Drops calls that have waited for their handoff for `waitMs`, but for those whose handoff is `kept`. */
  expire(now: number, waitMs: number, kept: (handoffId: string) => boolean): void;
  readonly size: number;
}

export interface ToolCallsOptions {
  readonly maxPerHandoff: number;
  readonly max: number;
  /** Called with the number of calls that were let go for lack of room. */
  readonly dropped: (count: number) => void;
}

interface Bucket {
  readonly handoffId: string;
  readonly calls: Map<string, ToolEvidence>;
  since: number;
  place: Place<Bucket>;
}

/** Keeps the first calls of each handoff; when all together are too many, the handoff whose calls came first loses its. */
export function createToolCalls({ maxPerHandoff, max, dropped }: ToolCallsOptions): ToolCalls {
  const buckets = new Map<string, Bucket>();
  const arrivals = createQueue<Bucket>();
  let size = 0;

  function bucketOf(handoffId: string, now: number): Bucket {
    const known = buckets.get(handoffId);
    if (known !== undefined) return known;
    const bucket = { handoffId, calls: new Map<string, ToolEvidence>(), since: now } as Bucket;
    bucket.place = arrivals.push(bucket);
    buckets.set(handoffId, bucket);
    return bucket;
  }

  function remove(bucket: Bucket): void {
    buckets.delete(bucket.handoffId);
    arrivals.remove(bucket.place);
    size -= bucket.calls.size;
  }

  return {
    add(handoffId, tool, now) {
      const id = `${tool.span.traceId}/${tool.span.spanId}`;
      const known = buckets.get(handoffId);
      if (known?.calls.has(id) === true) return 'duplicate';
      if (known !== undefined && known.calls.size >= maxPerHandoff) {
        dropped(1);
        return 'dropped';
      }
      while (size >= max) {
        const oldest = arrivals.first()!;
        remove(oldest);
        dropped(oldest.calls.size);
      }
      bucketOf(handoffId, now).calls.set(id, tool);
      size += 1;
      return 'added';
    },
    of(handoffId) {
      const bucket = buckets.get(handoffId);
      return bucket === undefined ? [] : [...bucket.calls.values()].sort(byStart);
    },
    remove(handoffId) {
      const bucket = buckets.get(handoffId);
      if (bucket !== undefined) remove(bucket);
    },
    expire(now, waitMs, kept) {
      for (let oldest = arrivals.first(); oldest !== undefined; oldest = arrivals.first()) {
        if (oldest.since + waitMs > now) return;
        if (!kept(oldest.handoffId)) {
          remove(oldest);
          dropped(oldest.calls.size);
          continue;
        }
        // Looked at again after another wait, which keeps the queue in order.
        arrivals.remove(oldest.place);
        oldest.since = now;
        oldest.place = arrivals.push(oldest);
      }
    },
    get size() {
      return size;
    },
  };
}

function byStart(a: ToolEvidence, b: ToolEvidence): number {
  const [x, y] = [BigInt(a.span.startUnixNano), BigInt(b.span.startUnixNano)];
  return x < y ? -1 : x > y ? 1 : byCodeUnit(a.span.spanId, b.span.spanId);
}
