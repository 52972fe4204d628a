/** The chunks of a body, in the order in which they came. */
export interface Chunks {
  add(chunk: Buffer): void;
  /** All of them in one piece. */
  join(): Buffer;
}

/** Chunks are kept as they come while they are few, or large. */
const KEPT_AS_THEY_COME = 16;
const LARGE_BYTES = 8 * 1024;
const BLOCK_BYTES = 64 * 1024;
const FIRST_BLOCK_BYTES = 1024;

/**
 * Gathers a body in little more memory than its own size, however it is cut up: a buffer of one byte costs a hundred,
 * and both chunked transfer and compression let a sender have its body delivered byte by byte. In HTTP/2 a chunk is also a
 * small part of all that was read from the connection at once, and would keep the whole of it.
 */
export function createChunks(): Chunks {
  const parts: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  let bytes = 0;

  function closeBlock(): void {
    if (used === 0) return;
    parts.push(block.subarray(0, used));
    block = block.subarray(used);
    used = 0;
  }

  return {
    add(chunk) {
      bytes += chunk.length;
      const keepsLittleElse = chunk.length * 2 >= chunk.buffer.byteLength;
      if (keepsLittleElse && (parts.length < KEPT_AS_THEY_COME || chunk.length >= LARGE_BYTES)) {
        closeBlock();
        parts.push(chunk);
        return;
      }
      if (chunk.length > block.length - used) {
        closeBlock();
        block = Buffer.allocUnsafeSlow(
          Math.max(chunk.length, Math.min(BLOCK_BYTES, Math.max(bytes, FIRST_BLOCK_BYTES))),
        );
      }
      used += chunk.copy(block, used);
    },
    join() {
      closeBlock();
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, bytes);
    },
  };
}
