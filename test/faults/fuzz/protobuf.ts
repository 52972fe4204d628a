import type { Random } from '../random.js';

/** One field as it stands on the wire. */
interface Field {
  readonly number: number;
  readonly wire: number;
  /** Of wire type 2 what stands behind the length; of the others the value as it is. */
  readonly value: Buffer;
}

/**
 * Changes one field somewhere in the message tree and writes all lengths around it anew, so that what is wrong is deep
 * inside a request that is otherwise sound.
 */
export function mutateProtobuf(body: Buffer, random: Random): Buffer {
  const fields = parse(body);
  if (fields === undefined || fields.length === 0) return body;
  const nested = fields.flatMap((field, index) => (field.wire === 2 && parse(field.value) ? [index] : []));
  if (nested.length > 0 && random.chance(0.85)) {
    const index = random.pick(nested);
    const inner = mutateProtobuf(fields[index]!.value, random);
    return write(fields.map((field, at) => (at === index ? { ...field, value: inner } : field)));
  }
  return random.pick(MUTATIONS)(fields, random.below(fields.length), random);
}

type Mutation = (fields: readonly Field[], at: number, random: Random) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  // A singular field that stands several times, with equal or other content.
  (fields, at, random) => write([...fields, ...Array.from({ length: 1 + random.below(20) }, () => fields[at]!)]),
  (fields, at, random) => write([...fields, { ...fields[at]!, value: random.pick(fields).value }]),
  (fields, at) => write(fields.filter((_, index) => index !== at)),
  (fields, _, random) => write(random.shuffled(fields)),
  // Another number or another wire type for the same bytes; 3 and 4 are groups, 6 and 7 nothing.
  (fields, at, random) =>
    write(change(fields, at, { number: random.pick([0, 1, 2, 9, 15, 16, 536_870_911, 536_870_912]) })),
  (fields, at, random) => write(change(fields, at, { wire: random.below(8) })),
  (fields, at, random) =>
    write([...fields, { number: 1 + random.below(20), wire: 3 + random.below(2), value: EMPTY }, fields[at]!]),
  // Numbers at and beyond the edges of 32 and 64 bits.
  (fields, at, random) => write(change(fields, at, { wire: 0, value: random.pick(VARINTS) })),
  (fields, at, random) =>
    write(change(fields, at, { wire: 1, value: random.pick([Buffer.alloc(8, 0xff), Buffer.alloc(8)]) })),
  (fields, at, random) =>
    write(change(fields, at, { wire: 2, value: Buffer.alloc(random.below(300), random.below(256)) })),
  // A length that says more or less than there is; only of this field, or of the message around it as well.
  (fields, at, random) => {
    const lie = random.pick([1, 2, 127, 128, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 35]);
    const { number, value } = fields[at]!;
    return Buffer.concat([
      write(fields.slice(0, at)),
      varint((number << 3) | 2),
      varint(lie),
      value,
      write(fields.slice(at + 1)),
    ]);
  },
  // Values in values in values: an array (5) of values (1), or a list of pairs (6) of values (2).
  (fields, at, random) => {
    let value = fields[at]!.value;
    const [outer, inner] = random.pick([
      [5, 1],
      [6, 1],
      [6, 2],
    ] as const);
    for (let depth = random.pick([30, 31, 32, 33, 34, 100, 1_000]); depth > 0; depth -= 1) {
      value = write([{ number: outer, wire: 2, value: write([{ number: inner, wire: 2, value }]) }]);
    }
    return write(change(fields, at, { wire: 2, value }));
  },
  // Many small elements.
  (fields, at, random) => {
    const one = { ...fields[at]!, value: fields[at]!.wire === 2 ? EMPTY : fields[at]!.value };
    return write([...fields, ...Array.from({ length: random.pick([100, 1_000]) }, () => one)]);
  },
];

const EMPTY = Buffer.alloc(0);
const VARINTS = [
  '00',
  '01',
  '7f',
  'ff7f',
  'ffffffff07',
  'ffffffff0f',
  '8080808010',
  'ffffffffffffffff7f',
  'ffffffffffffffffff01',
  'ffffffffffffffffff7f',
  '80808080808080808000',
  '8080808080808080808001',
].map((hex) => Buffer.from(hex, 'hex'));

function change(fields: readonly Field[], at: number, to: Partial<Field>): Field[] {
  return fields.map((field, index) => (index === at ? { ...field, ...to } : field));
}

function write(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(({ number, wire, value }) => [
      varint(number * 8 + wire),
      ...(wire === 2 ? [varint(value.length)] : []),
      value,
    ]),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  return Buffer.from([...bytes, left]);
}

/** The fields of a message; `undefined` for bytes that are none. */
function parse(body: Buffer): Field[] | undefined {
  const fields: Field[] = [];
  for (let at = 0; at < body.length;) {
    const tag = readVarint(body, at);
    if (tag === undefined || tag.value < 8) return undefined;
    const [number, wire] = [Math.floor(tag.value / 8), tag.value % 8];
    const length = wire === 2 ? readVarint(body, tag.end) : undefined;
    const start = length?.end ?? tag.end;
    const end =
      wire === 0
        ? readVarint(body, start)?.end
        : wire === 1
          ? start + 8
          : wire === 5
            ? start + 4
            : length && start + length.value;
    if (end === undefined || end > body.length) return undefined;
    fields.push({ number, wire, value: body.subarray(start, end) });
    at = end;
  }
  return fields;
}

function readVarint(body: Buffer, from: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = from; at < body.length && at < from + 10; at += 1) {
    value += (body[at]! & 0x7f) * 2 ** (7 * (at - from));
    if (body[at]! < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
