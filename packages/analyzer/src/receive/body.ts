import type { Readable } from 'node:stream';
import type { Account } from './allowance.js';
import { createChunks } from './chunks.js';
import { createInflater } from './coding.js';
import type { Coding } from './coding.js';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly timeoutMs: number;
  /** Ends the reading as `stopping`. */
  readonly hurry: AbortSignal;
}

/** What stands around a body on the wire. HTTP puts nothing there; gRPC prefixes its messages. */
export interface Framing {
  /** The bytes of a chunk that belong to the body; or how the reading ends, where they cannot. */
  unwrap(chunk: Buffer): Buffer | Ending;
  /** Asked once, when the first bytes of the body are there or it has ended without any. */
  coding(): Coding;
  /** How the reading ends where the stream did; `undefined` where the body is whole. */
  atEnd(): Ending | undefined;
}

/** How reading a body ended. `wireBytes` is what came over the wire until then. */
export type BodyResult = Ending & { readonly wireBytes: number };

export type Ending =
  | { readonly kind: 'read'; readonly body: Buffer }
  | { readonly kind: 'too_large'; readonly found?: number }
  | { readonly kind: 'too_large_inflated' | 'timeout' | 'stopping' | 'in_flight_limit' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'broken' | 'malformed'; readonly detail: string };

/** Every ending that is answered with a refusal. */
export type BodyFault = Exclude<Ending, { readonly kind: 'read' } | { readonly kind: 'aborted' }>;

/** A body with nothing around it. */
export function bare(coding: Coding): Framing {
  return { unwrap: (chunk) => chunk, coding: () => coding, atEnd: () => undefined };
}

/**
 * Reads and inflates a request body, holding at most the limit (plus one chunk) in memory: both the bytes on the wire
 * and the inflated ones are cut where they pass it. The rest of a body that was cut is left unread on the source.
 */
export function readBody(
  source: Readable,
  framing: Framing,
  limits: BodyLimits,
  account: Account,
): Promise<BodyResult> {
  return new Promise((resolve) => {
    const chunks = createChunks();
    let inflater: ReturnType<typeof createInflater>;
    let begun = false;
    let wireBytes = 0;
    let bodyBytes = 0;
    let settled = false;

    function settle(ending: Ending): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      limits.hurry.removeEventListener('abort', onHurry);
      source.off('data', onWire).off('end', onWireEnd).off('close', onClose).off('error', onClose);
      source.pause();
      inflater?.destroy();
      resolve({ ...ending, wireBytes });
    }

    function begin(): void {
      if (begun) return;
      begun = true;
      inflater = createInflater(framing.coding());
      inflater?.on('data', onBody).on('end', onEnd);
      inflater?.on('error', (error) => settle({ kind: 'broken', detail: error.message }));
    }

    function onWire(chunk: Buffer): void {
      const unwrapped = framing.unwrap(chunk);
      if ('kind' in unwrapped) return settle(unwrapped);
      if (unwrapped.length === 0) return;
      wireBytes += unwrapped.length;
      if (wireBytes > limits.maxBodyBytes) return settle({ kind: 'too_large' });
      begin();
      if (inflater === undefined) return onBody(unwrapped);
      if (!inflater.write(unwrapped)) {
        source.pause();
        inflater.once('drain', () => settled || source.resume());
      }
    }

    function onBody(chunk: Buffer): void {
      if (settled) return;
      bodyBytes += chunk.length;
      if (bodyBytes > limits.maxBodyBytes) return settle({ kind: 'too_large_inflated' });
      if (!account.hold(chunk.length)) return settle({ kind: 'in_flight_limit' });
      chunks.add(chunk);
    }

    function onWireEnd(): void {
      const ending = framing.atEnd();
      if (ending !== undefined) return settle(ending);
      begin();
      if (inflater === undefined) onEnd();
      else inflater.end();
    }

    const onEnd = () => settle({ kind: 'read', body: chunks.join() });
    // A request closes after its end, too, while the inflater is still at work.
    const onClose = () => source.readableEnded || settle({ kind: 'aborted' });
    const onHurry = () => settle({ kind: 'stopping' });
    const timer = setTimeout(() => settle({ kind: 'timeout' }), limits.timeoutMs);
    timer.unref();

    limits.hurry.addEventListener('abort', onHurry);
    if (limits.hurry.aborted) return onHurry();
    source.on('data', onWire).on('end', onWireEnd).on('close', onClose).on('error', onClose);
  });
}
