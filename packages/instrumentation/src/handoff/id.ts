import { createHash, randomFillSync } from 'node:crypto';
import { runtime } from '../runtime/state.js';

/** What a `seamtrace.handoff.id` looks like (wire contract, section 3). */
export const HANDOFF_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]{2,127}$/;

/**
 * An id derived from facts that are the same when a node is executed again: `<prefix>.` and 32 hex digits of SHA-256
 * over the parts. Parts are joined with their lengths, so that ("a", "bc") and ("ab", "c") differ.
 */
export function deriveHandoffId(prefix: string, parts: readonly (string | number)[]): string {
  const joined = parts.map((part) => `${Buffer.byteLength(String(part))}:${part}`).join('');
  return `${prefix}.${createHash('sha256').update(joined).digest('hex').slice(0, 32)}`;
}

const POOL_BYTES = 2_048;
/** Random bytes drawn ahead: asking the system for a few at a time costs more than all else of an id. */
const pool = { bytes: Buffer.alloc(POOL_BYTES), at: POOL_BYTES };

function random(count: number): Buffer {
  if (pool.at + count > POOL_BYTES) {
    randomFillSync(pool.bytes);
    pool.at = 0;
  }
  pool.at += count;
  return pool.bytes.subarray(pool.at - count, pool.at);
}

/** A UUIDv7 (RFC 9562, method 1): sorts by creation within this process, also within one millisecond. */
export function newHandoffId(nowMs: number = Date.now()): string {
  const { uuid } = runtime();
  if (nowMs > uuid.lastMs) {
    uuid.lastMs = nowMs;
    uuid.sequence = random(2).readUInt16BE() & 0x7ff;
  } else {
    uuid.sequence += 1;
    // The counter has 12 bits; when they are used up, or the clock went back, time is taken from the future.
    if (uuid.sequence > 0xfff) {
      uuid.lastMs += 1;
      uuid.sequence = 0;
    }
  }
  const bytes = random(16);
  bytes.writeUIntBE(uuid.lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | uuid.sequence, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
