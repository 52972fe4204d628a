import { otlpTypes } from '@seamtrace/testkit';
import fc from 'fast-check';

// Writes a protobuf message again as another writer could have: the same message by the rules of the encoding, in bytes
// that no SDK writes. Fields are shuffled, messages split in two, scalars preceded by values that the last one
// overrules, unknown fields put between, and every varint padded.

type Type = (typeof otlpTypes)['traceRequest'];
type FieldType = Type['fieldsArray'][number];
/** A number below `bound`. */
type Dice = (bound: number) => number;

interface Field {
  readonly number: number;
  readonly wireType: number;
  /** Of a varint, its bits; otherwise its bytes, without a length. */
  readonly content: bigint | Uint8Array;
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;
const MAX_FIELD_NUMBER = 2 ** 29 - 1;

/** Seeds of a {@link oddRequest}. */
export const anySeed = fc.integer({ min: 1, max: 2 ** 31 - 1 });

/** The same `ExportTraceServiceRequest` in other bytes. */
export function oddRequest(bytes: Uint8Array, seed: number): Uint8Array {
  return rewrite(otlpTypes.traceRequest, bytes, createDice(seed));
}

function createDice(seed: number): Dice {
  let state = seed;
  return (bound) => {
    // xorshift32: one seed names one way of writing, so that a failure can be run again.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

function rewrite(type: Type, bytes: Uint8Array, dice: Dice): Uint8Array {
  const fields = parse(bytes).flatMap((field) => repeat(type, inner(type, field, dice), dice));
  const shuffled = shuffle(type, fields, dice);
  return Buffer.concat(shuffled.flatMap((field) => [...unknown(dice), writeField(field, dice)]).concat(unknown(dice)));
}

function typeOf(type: Type, { number }: Field): FieldType | undefined {
  return type.fieldsById[number];
}

function messageOf(field: FieldType | undefined): Type | undefined {
  return (field?.resolve().resolvedType ?? undefined) as Type | undefined;
}

function inner(type: Type, field: Field, dice: Dice): Field {
  const message = messageOf(typeOf(type, field));
  if (message === undefined) return field;
  return { ...field, content: rewrite(message, field.content as Uint8Array, dice) };
}

/** One field, or several that mean the same: protobuf merges messages, and of scalars the last counts. */
function repeat(type: Type, field: Field, dice: Dice): readonly Field[] {
  const known = typeOf(type, field);
  if (known === undefined || known.repeated || dice(3) > 0) return [field];
  if (messageOf(known) === undefined) return [...decoys(known, field, dice), field];
  const parts = parse(field.content as Uint8Array);
  const cut = dice(parts.length + 1);
  return [parts.slice(0, cut), parts.slice(cut)].map((part) => ({
    ...field,
    content: Buffer.concat(part.map((one) => writeField(one, dice))),
  }));
}

function decoys(known: FieldType, { number, wireType }: Field, dice: Dice): readonly Field[] {
  const decoy = { number, wireType, content: anyContent(wireType, dice) };
  // Of a oneof, another member may have been set before.
  return known.partOf === null ? [decoy] : [{ number: 1, wireType: LENGTH_DELIMITED, content: anyBytes(dice) }];
}

function anyContent(wireType: number, dice: Dice): bigint | Uint8Array {
  if (wireType === VARINT) return BigInt(dice(2 ** 31));
  if (wireType === LENGTH_DELIMITED) return anyBytes(dice);
  return Uint8Array.from({ length: wireType === FIXED64 ? 8 : 4 }, () => dice(256));
}

function anyBytes(dice: Dice): Uint8Array {
  // ASCII, since protobufjs refuses a whole request for a string that is no UTF-8, even one that another overrules.
  return Uint8Array.from({ length: dice(20) }, () => dice(128));
}

/** Another order in which fields of one number, and members of one oneof, still follow each other as before. */
function shuffle(type: Type, fields: readonly Field[], dice: Dice): readonly Field[] {
  const queues = new Map<unknown, Field[]>();
  for (const field of fields) {
    const group = typeOf(type, field)?.partOf?.name ?? field.number;
    queues.set(group, [...(queues.get(group) ?? []), field]);
  }
  const left = [...queues.values()];
  const shuffled: Field[] = [];
  while (left.length > 0) {
    const at = dice(left.length);
    const queue = left[at] as Field[];
    shuffled.push(queue.shift() as Field);
    if (queue.length === 0) left.splice(at, 1);
  }
  return shuffled;
}

/** A field that OTLP does not have, of any wire type but groups, or none. Packed lists look like any other bytes. */
function unknown(dice: Dice): Buffer[] {
  if (dice(8) > 0) return [];
  const number = dice(2) === 0 ? 100 + dice(1000) : MAX_FIELD_NUMBER - dice(1000);
  const wireType = [VARINT, FIXED64, LENGTH_DELIMITED, FIXED32][dice(4)] as number;
  return [writeField({ number, wireType, content: anyContent(wireType, dice) }, dice)];
}

function writeField({ number, wireType, content }: Field, dice: Dice): Buffer {
  const tag = varint(BigInt(number) * 8n + BigInt(wireType), 5, dice);
  if (typeof content === 'bigint') return Buffer.concat([tag, varint(content, 10, dice)]);
  const length = wireType === LENGTH_DELIMITED ? varint(BigInt(content.length), 5, dice) : Buffer.alloc(0);
  return Buffer.concat([tag, length, content]);
}

/** The shortest form, or padded with zeros up to `longest` bytes. */
function varint(value: bigint, longest: number, dice: Dice): Buffer {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0n; rest >>= 7n) bytes.push(Number(rest & 127n));
  const length = dice(4) > 0 ? bytes.length : bytes.length + dice(longest - bytes.length + 1);
  while (bytes.length < length) bytes.push(0);
  return Buffer.from(bytes.map((byte, at) => (at < bytes.length - 1 ? byte | 128 : byte)));
}

function parse(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const take = (count: number): Uint8Array => bytes.subarray(at, (at += count));
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] as number;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const wireType = tag & 7;
    const content =
      wireType === VARINT
        ? readVarint()
        : take(wireType === LENGTH_DELIMITED ? Number(readVarint()) : wireType === FIXED64 ? 8 : 4);
    fields.push({ number: tag >>> 3, wireType, content });
  }
  return fields;
}
