import { crc32 } from 'node:zlib';

/**
 * The bytes of a stored batch: CRC-32 of what follows, number of pieces, then each piece behind its length; numbers are
 * unsigned, 32 bits, little-endian. SQLite does not check what it reads, and evidence with a flipped bit could accuse
 * somebody, hence the checksum.
 */
const CRC_BYTES = 4;
const COUNT_BYTES = 4;
const LENGTH_BYTES = 4;

export function rowBytes(pieces: readonly Uint8Array[]): number {
  let bytes = CRC_BYTES + COUNT_BYTES + LENGTH_BYTES * pieces.length;
  for (const piece of pieces) bytes += piece.length;
  return bytes;
}

/** Writes all but the checksum, which the storage thread adds; returns where the row ends. */
export function writeRow(target: Buffer, offset: number, pieces: readonly Uint8Array[]): number {
  let at = target.writeUInt32LE(pieces.length, offset + CRC_BYTES);
  for (const piece of pieces) {
    at = target.writeUInt32LE(piece.length, at);
    target.set(piece, at);
    at += piece.length;
  }
  return at;
}

/** Adds the checksum of a row that fills `row`. */
export function seal(row: Buffer): Buffer {
  row.writeUInt32LE(crc32(row.subarray(CRC_BYTES)), 0);
  return row;
}

/** Whether the row's checksum holds. */
export function isWhole(row: Buffer): boolean {
  return row.length >= CRC_BYTES && row.readUInt32LE(0) === crc32(row.subarray(CRC_BYTES));
}

/** The pieces as views into `row`, which `isWhole` has looked at. */
export function readRow(row: Buffer): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = CRC_BYTES + COUNT_BYTES;
  for (let left = row.readUInt32LE(CRC_BYTES); left > 0; left -= 1) {
    const start = at + LENGTH_BYTES;
    at = start + row.readUInt32LE(at);
    pieces.push(new Uint8Array(row.buffer, row.byteOffset + start, at - start));
  }
  return pieces;
}
