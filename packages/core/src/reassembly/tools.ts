import { packTool, unpackTool } from '../evidence/codec.js';
import { compareStarts, spanKey } from '../evidence/spans.js';
import type { SpanRef, ToolEvidence } from '../evidence/types.js';
import { NONE, createIntegers, createNumbers } from './column.js';
import { createLane } from './lane.js';
import { createLists } from './lists.js';
import { createSlab } from './slab.js';
import { textHash } from './text-hash.js';
import { createTextTable } from './text-table.js';

/** Tool calls by the handoff that started their run. */
export interface ToolCalls {
  add(handoffId: string, tool: ToolEvidence, now: number): 'added' | 'duplicate' | 'dropped';
  /** In the order of their start, so that the order of receipt cannot change a grade. */
  of(handoffId: string): readonly ToolEvidence[];
  remove(handoffId: string): void;
  /**
   * Drops calls that have waited for their handoff for `waitMs`, but for those whose handoff is `kept`. Looks at no more
   * than `limit` handoffs.
   */
  expire(now: number, waitMs: number, kept: (handoffId: string) => boolean, limit?: number): void;
  readonly size: number;
  /** What the calls take, without what finds them. */
  readonly bytes: number;
}

export interface ToolCallsOptions {
  readonly maxPerHandoff: number;
  readonly max: number;
  /** Bytes of all calls together; no limit when left out. */
  readonly maxBytes?: number;
  readonly hashSeed?: number | undefined;
  /** Called with the number of calls that were let go for lack of room. */
  readonly dropped: (count: number) => void;
}

/** Before a packed call: the handle of the next one of its handoff, and 64 bits of its span's identity. */
const LINK_BYTES = 16;

/** Keeps the first calls of each handoff; when all together are too many, the handoff whose calls came first loses its. */
export function createToolCalls(options: ToolCallsOptions): ToolCalls {
  const { maxPerHandoff, max, maxBytes = Number.POSITIVE_INFINITY, dropped } = options;
  const slab = createSlab();
  const buckets = createTextTable(options.hashSeed);
  const since = createNumbers();
  const counts = createIntegers(0);
  const firstCalls = createNumbers(0);
  const arrivals = createLane(createLists(), 0);
  let size = 0;

  function bucketOf(handoffId: string, now: number): number {
    const known = buckets.find(handoffId);
    if (known !== NONE) return known;
    const bucket = buckets.take(handoffId);
    since.set(bucket, now);
    counts.set(bucket, 0);
    firstCalls.set(bucket, 0);
    arrivals.push(bucket);
    return bucket;
  }

  function remove(bucket: number): number {
    for (let call = firstCalls.get(bucket); call !== 0;) {
      const next = readLink(slab.get(call)).next;
      slab.free(call);
      call = next;
    }
    arrivals.remove(bucket);
    buckets.free(bucket);
    const count = counts.get(bucket);
    size -= count;
    return count;
  }

  function* callsOf(bucket: number): Iterable<Uint8Array> {
    for (let call = firstCalls.get(bucket); call !== 0;) {
      const bytes = slab.get(call);
      yield bytes;
      call = readLink(bytes).next;
    }
  }

  function knows(bucket: number, { span }: ToolEvidence): boolean {
    const identity = identityOf(span);
    for (const bytes of callsOf(bucket)) {
      const link = readLink(bytes);
      if (link.low !== identity.low || link.high !== identity.high) continue;
      const known = unpackTool(bytes.subarray(LINK_BYTES)).span;
      if (known.spanId === span.spanId && known.traceId === span.traceId) return true;
    }
    return false;
  }

  function keep(bucket: number, tool: ToolEvidence): void {
    const packed = packTool(tool);
    const block = Buffer.allocUnsafe(LINK_BYTES + packed.length);
    const { low, high } = identityOf(tool.span);
    block.writeDoubleLE(firstCalls.get(bucket), 0);
    block.writeUInt32LE(low, 8);
    block.writeUInt32LE(high, 12);
    block.set(packed, LINK_BYTES);
    firstCalls.set(bucket, slab.put(block));
    counts.set(bucket, counts.get(bucket) + 1);
    size += 1;
  }

  return {
    add(handoffId, tool, now) {
      const known = buckets.find(handoffId);
      if (known !== NONE && knows(known, tool)) return 'duplicate';
      if (known !== NONE && counts.get(known) >= maxPerHandoff) {
        dropped(1);
        return 'dropped';
      }
      while (size > 0 && (size >= max || slab.bytes >= maxBytes)) dropped(remove(arrivals.first()));
      keep(bucketOf(handoffId, now), tool);
      return 'added';
    },
    of(handoffId) {
      const bucket = buckets.find(handoffId);
      if (bucket === NONE) return [];
      return [...callsOf(bucket)]
        .map((bytes) => unpackTool(bytes.subarray(LINK_BYTES)))
        .sort((a, b) => compareStarts(a.span, b.span));
    },
    remove(handoffId) {
      const bucket = buckets.find(handoffId);
      if (bucket !== NONE) remove(bucket);
    },
    expire(now, waitMs, kept, limit = Number.POSITIVE_INFINITY) {
      for (let looked = 0; looked < limit; looked += 1) {
        const oldest = arrivals.first();
        if (oldest === NONE || since.get(oldest) + waitMs > now) return;
        if (!kept(buckets.textOf(oldest))) {
          dropped(remove(oldest));
          continue;
        }
        // Looked at again after another wait, which keeps the queue in order.
        arrivals.remove(oldest);
        since.set(oldest, now);
        arrivals.push(oldest);
      }
    },
    get size() {
      return size;
    },
    get bytes() {
      return slab.bytes;
    },
  };
}

function readLink(bytes: Uint8Array): { readonly next: number; readonly low: number; readonly high: number } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, LINK_BYTES);
  return { next: view.readDoubleLE(0), low: view.readUInt32LE(8), high: view.readUInt32LE(12) };
}

function identityOf(span: SpanRef): { readonly low: number; readonly high: number } {
  const id = spanKey(span);
  return { low: textHash(id, 1), high: textHash(id, 2) };
}
