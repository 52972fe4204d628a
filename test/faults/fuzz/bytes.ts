import type { Random } from '../random.js';

/** Changes bytes without knowing what they mean. `other` is another real request, to splice with. */
export function mutateBytes(body: Buffer, other: Buffer, random: Random): Buffer {
  return random.pick(MUTATIONS)(body, other, random);
}

type Mutation = (body: Buffer, other: Buffer, random: Random) => Buffer;

const EDGES = [0x00, 0x01, 0x07, 0x08, 0x0a, 0x0b, 0x7f, 0x80, 0xc0, 0xf5, 0xff, 0x22, 0x5b, 0x7b, 0x5c];

const MUTATIONS: readonly Mutation[] = [
  // Bit flips.
  (body, _, random) => {
    const copy = Buffer.from(body);
    for (let flips = 1 + random.below(8); flips > 0 && copy.length > 0; flips -= 1) {
      copy[random.below(copy.length)]! ^= 1 << random.below(8);
    }
    return copy;
  },
  // Bytes that begin or end something in one of the encodings.
  (body, _, random) => {
    const copy = Buffer.from(body);
    for (let left = 1 + random.below(4); left > 0 && copy.length > 0; left -= 1) {
      copy[random.below(copy.length)] = random.pick(EDGES);
    }
    return copy;
  },
  (body, _, random) => body.subarray(0, random.below(body.length + 1)),
  (body, _, random) => body.subarray(random.below(body.length + 1)),
  // A splice: the beginning of one request, the end of another.
  (body, other, random) =>
    Buffer.concat([body.subarray(0, random.below(body.length + 1)), other.subarray(random.below(other.length + 1))]),
  // Two requests in one, which in protobuf is one request.
  (body, other) => Buffer.concat([body, other]),
  // A piece cut out, doubled, or moved elsewhere.
  (body, _, random) => {
    const [from, to] = range(body, random);
    return Buffer.concat([body.subarray(0, from), body.subarray(to)]);
  },
  (body, _, random) => {
    const [from, to] = range(body, random);
    return Buffer.concat([body.subarray(0, to), body.subarray(from)]);
  },
  (body, _, random) => {
    const [from, to] = range(body, random);
    const at = random.below(body.length + 1);
    return Buffer.concat([body.subarray(0, at), body.subarray(from, to), body.subarray(at)]);
  },
  // A varint that never ends, or one of a huge number: where it hits a length, the length lies.
  (body, _, random) => {
    const at = random.below(body.length + 1);
    const long = Buffer.alloc(1 + random.below(12), 0xff);
    const end = Buffer.from(random.chance(0.5) ? [0x01] : []);
    return Buffer.concat([body.subarray(0, at), long, end, body.subarray(at + (random.chance(0.5) ? 1 : 0))]);
  },
  (_, __, random) => Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256))),
  // Invalid UTF-8: lone continuation, overlong, surrogate, beyond the last code point.
  (body, _, random) => {
    const at = random.below(body.length + 1);
    const bad = random.pick([[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff, 0xfe]]);
    return Buffer.concat([body.subarray(0, at), Buffer.from(bad), body.subarray(at + bad.length)]);
  },
];

function range(body: Buffer, random: Random): [number, number] {
  const from = random.below(body.length + 1);
  return [from, Math.min(body.length, from + random.below(200))];
}
