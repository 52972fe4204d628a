import type { IncomingMessage } from 'node:http';
import { createGunzip, createInflate } from 'node:zlib';
import type { Gunzip, Inflate } from 'node:zlib';
import type { Account } from './allowance.js';
import type { Coding } from './headers.js';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly timeoutMs: number;
  /** Ends the reading as `stopping`. */
  readonly hurry: AbortSignal;
}

/** How reading a body ended. `wireBytes` is what came over the wire until then. */
export type BodyResult = Ending & { readonly wireBytes: number };

type Ending =
  | { readonly kind: 'read'; readonly body: Buffer }
  | { readonly kind: 'too_large' | 'too_large_inflated' | 'timeout' | 'stopping' | 'in_flight_limit' | 'aborted' }
  | { readonly kind: 'broken'; readonly detail: string };

/**
 * Reads and inflates a request body, holding at most the limit (plus one chunk) in memory: both the bytes on the wire
 * and the inflated ones are cut where they pass it. The rest of a body that was cut is left unread on the request.
 */
export function readBody(
  request: IncomingMessage,
  coding: Coding,
  limits: BodyLimits,
  account: Account,
): Promise<BodyResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const inflater = createInflater(coding);
    let wireBytes = 0;
    let bodyBytes = 0;
    let settled = false;

    function settle(ending: Ending): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      limits.hurry.removeEventListener('abort', onHurry);
      request.off('data', onWire).off('end', onWireEnd).off('close', onClose).off('error', onClose);
      request.pause();
      inflater?.destroy();
      resolve({ ...ending, wireBytes });
    }

    function onWire(chunk: Buffer): void {
      wireBytes += chunk.length;
      if (wireBytes > limits.maxBodyBytes) return settle({ kind: 'too_large' });
      if (inflater === undefined) return onBody(chunk);
      if (!inflater.write(chunk)) {
        request.pause();
        inflater.once('drain', () => settled || request.resume());
      }
    }

    function onBody(chunk: Buffer): void {
      if (settled) return;
      bodyBytes += chunk.length;
      if (bodyBytes > limits.maxBodyBytes) return settle({ kind: 'too_large_inflated' });
      if (!account.hold(chunk.length)) return settle({ kind: 'in_flight_limit' });
      chunks.push(chunk);
    }

    const onEnd = () => settle({ kind: 'read', body: Buffer.concat(chunks, bodyBytes) });
    const onWireEnd = () => (inflater === undefined ? onEnd() : void inflater.end());
    // A request closes after its end, too, while the inflater is still at work.
    const onClose = () => request.readableEnded || settle({ kind: 'aborted' });
    const onHurry = () => settle({ kind: 'stopping' });
    const timer = setTimeout(() => settle({ kind: 'timeout' }), limits.timeoutMs);
    timer.unref();

    inflater?.on('data', onBody).on('end', onEnd);
    inflater?.on('error', (error) => settle({ kind: 'broken', detail: error.message }));
    limits.hurry.addEventListener('abort', onHurry);
    if (limits.hurry.aborted) return onHurry();
    request.on('data', onWire).on('end', onWireEnd).on('close', onClose).on('error', onClose);
  });
}

function createInflater(coding: Coding): Gunzip | Inflate | undefined {
  if (coding === 'identity') return undefined;
  return coding === 'gzip' ? createGunzip() : createInflate();
}
