import type { Ending, Framing } from '../body.js';
import type { Coding } from '../coding.js';

/** A flag that says whether the message is compressed, and its length in four bytes, highest first. */
const PREFIX_BYTES = 5;

/**
 * The framing of the one message of a unary call (gRPC over HTTP/2, "Length-Prefixed-Message"). A message that states
 * more than `maxBytes` is refused by its prefix, before anything is held for it.
 */
export function createMessageFraming(coding: Coding, maxBytes: number): Framing {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  let prefixBytes = 0;
  let length = 0;
  let compressed = false;
  let left = 0;

  function readPrefix(): Ending | undefined {
    const flag = prefix.readUInt8(0);
    length = prefix.readUInt32BE(1);
    left = length;
    compressed = flag === 1;
    if (flag > 1) return malformed(`its prefix starts with ${flag}, expected 0 or 1`);
    if (compressed && coding === 'identity')
      return malformed('it is marked as compressed, and no grpc-encoding is named');
    return length > maxBytes ? { kind: 'too_large', found: length } : undefined;
  }

  return {
    unwrap(chunk) {
      let message = chunk;
      if (prefixBytes < PREFIX_BYTES) {
        const taken = chunk.copy(prefix, prefixBytes, 0, PREFIX_BYTES - prefixBytes);
        prefixBytes += taken;
        message = chunk.subarray(taken);
        if (prefixBytes < PREFIX_BYTES) return message;
        const ending = readPrefix();
        if (ending !== undefined) return ending;
      }
      if (message.length > left) return malformed(`it is longer than the ${length} bytes that its prefix states`);
      left -= message.length;
      return message;
    },
    coding: () => (compressed ? coding : 'identity'),
    atEnd() {
      if (prefixBytes === 0) return malformed('it is missing');
      if (prefixBytes < PREFIX_BYTES) return malformed(`its prefix has ${prefixBytes} of ${PREFIX_BYTES} bytes`);
      return left === 0
        ? undefined
        : malformed(`it has ${length - left} of the ${length} bytes that its prefix states`);
    },
  };
}

function malformed(detail: string): Ending {
  return { kind: 'malformed', detail };
}
