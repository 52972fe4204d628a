/** Longest text that is looked at character by character: for short ones that is quicker than to ask the runtime. */
const SHORT = 64;
const FIRST_ROOM = 16 * 1024;
/** A larger buffer is let go when it was used. */
const MAX_KEPT = 1024 * 1024;

/**
 * Writes a sequence of values as the members of one MessagePack array, each in its shortest form (MessagePack
 * specification), straight into a buffer that is used again: evidence of every span passes through here.
 */
export interface ArrayWriter {
  /** Begins another array. */
  reset(): void;
  nil(): void;
  flag(value: boolean): void;
  number(value: number): void;
  /** The text must be well formed. */
  text(value: string): void;
  /** Bytes of the array, its header included. */
  readonly length: number;
  /** Writes the array to `into`, where there must be room for `length` bytes. */
  copy(into: Buffer, at: number): void;
}

export function createArrayWriter(): ArrayWriter {
  let bytes = Buffer.allocUnsafeSlow(FIRST_ROOM);
  let at = 0;
  let count = 0;

  function room(more: number): void {
    if (at + more <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, at + more));
    larger.set(bytes.subarray(0, at));
    bytes = larger;
  }

  /** Whether the text is ASCII, and was written. */
  function shortText(value: string): boolean {
    const { length } = value;
    let to = at + (length < 32 ? 1 : 2);
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 127) return false;
      bytes[to++] = code;
    }
    header(length);
    at = to;
    return true;
  }

  function header(length: number): void {
    if (length < 32) bytes[at++] = 0xa0 | length;
    else if (length < 0x100) {
      bytes[at++] = 0xd9;
      bytes[at++] = length;
    } else if (length < 0x10000) {
      bytes[at++] = 0xda;
      at = bytes.writeUInt16BE(length, at);
    } else {
      bytes[at++] = 0xdb;
      at = bytes.writeUInt32BE(length, at);
    }
  }

  function negative(value: number): void {
    if (value >= -0x20) bytes[at++] = 0x100 + value;
    else if (value >= -0x80) {
      bytes[at++] = 0xd0;
      bytes[at++] = 0x100 + value;
    } else if (value >= -0x8000) {
      bytes[at++] = 0xd1;
      at = bytes.writeInt16BE(value, at);
    } else {
      bytes[at++] = 0xd2;
      at = bytes.writeInt32BE(value, at);
    }
  }

  const headerBytes = (): number => (count < 0x10 ? 1 : count < 0x10000 ? 3 : 5);

  return {
    reset() {
      if (bytes.length > MAX_KEPT) bytes = Buffer.allocUnsafeSlow(FIRST_ROOM);
      at = 0;
      count = 0;
    },
    nil() {
      room(1);
      count += 1;
      bytes[at++] = 0xc0;
    },
    flag(value) {
      room(1);
      count += 1;
      bytes[at++] = value ? 0xc3 : 0xc2;
    },
    number(value) {
      room(9);
      count += 1;
      if (value >>> 0 === value) {
        if (value < 0x80) bytes[at++] = value;
        else if (value < 0x100) {
          bytes[at++] = 0xcc;
          bytes[at++] = value;
        } else if (value < 0x10000) {
          bytes[at++] = 0xcd;
          bytes[at++] = value >> 8;
          bytes[at++] = value & 0xff;
        } else {
          bytes[at++] = 0xce;
          at = bytes.writeUInt32BE(value, at);
        }
      } else if (value >> 0 === value) negative(value);
      else {
        bytes[at++] = 0xcb;
        at = bytes.writeDoubleBE(value, at);
      }
    },
    text(value) {
      const { length } = value;
      // A UTF-16 unit takes three bytes at most.
      room(5 + 3 * length);
      count += 1;
      if (length <= SHORT && shortText(value)) return;
      header(Buffer.byteLength(value));
      at += bytes.write(value, at);
    },
    get length() {
      return headerBytes() + at;
    },
    copy(into, from) {
      let to = from;
      if (count < 0x10) into[to++] = 0x90 | count;
      else if (count < 0x10000) {
        into[to++] = 0xdc;
        to = into.writeUInt16BE(count, to);
      } else {
        into[to++] = 0xdd;
        to = into.writeUInt32BE(count, to);
      }
      into.set(bytes.subarray(0, at), to);
    },
  };
}
