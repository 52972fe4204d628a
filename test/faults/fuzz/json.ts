import type { Random } from '../random.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Changes one token somewhere in a JSON request; what is no JSON value at all goes in as text. */
export function mutateJson(body: Buffer, random: Random): Buffer {
  const root = JSON.parse(body.toString()) as Json;
  let raw: string | undefined;
  const changed = descend(root, random, (node, holder, name) => {
    const choice = random.pick(MUTATIONS)(node, random);
    if (typeof choice === 'object' && choice !== null && RAW in choice) {
      raw = String(choice[RAW]);
      return MARK;
    }
    if (random.chance(0.1) && !Array.isArray(holder)) renamed(holder, name, random);
    return choice as Json;
  });
  const text = JSON.stringify(changed);
  return Buffer.from(raw === undefined ? text : text.replace(JSON.stringify(MARK), () => raw!));
}

const RAW = 'seamtrace raw text';
const MARK = 'seamtrace mark';
const raw = (text: string): Json => ({ [RAW]: text });

type Mutation = (node: Json, random: Random) => Json;

const NUMBERS = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '0.1',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551616',
  '123456789012345678901234567890',
  '1E3',
  '01',
  '+1',
  'NaN',
  'Infinity',
  '-',
  '0x10',
  '1_000',
];
const STRINGS = [
  '',
  'NaN',
  '-0',
  '\u0000',
  '\ud800',
  '__proto__',
  'é'.normalize('NFD'),
  '****',
  ' 1',
  '1.5',
  'true',
  'null',
  '９',
  '2147483648',
  '-9223372036854775809',
];

const MUTATIONS: readonly Mutation[] = [
  (_, random) => random.pick<Json>([null, true, false, 0, -1, 1.5, 2 ** 53, 2 ** 63, '', [], {}, [null], { a: 1 }]),
  (_, random) => random.pick(STRINGS),
  (_, random) => raw(random.pick(NUMBERS)),
  (node, random) =>
    raw(`"${random.pick(['\\ud800', '\\u0000', '\\x41', '\\', '\u0001', 'a\nb'])}"`.concat(node === null ? '' : '')),
  // The same value written as another type.
  (node) => (typeof node === 'string' ? Number(node) : typeof node === 'number' ? String(node) : JSON.stringify(node)),
  (node) => [node],
  (node) => ({ value: node }),
  (node, random) => Array.from({ length: random.pick([2, 3, 50]) }, () => node),
  (node) => (Array.isArray(node) ? [...node, ...node] : node),
  (node) => (Array.isArray(node) ? Object.fromEntries(node.map((item, index) => [String(index), item])) : node),
  (node) => (isObject(node) ? Object.entries(node).map(([key, value]) => ({ key, value })) : node),
  // A member twice, and names that mean something to the language rather than to us.
  (node) => (isObject(node) ? raw(twice(node)) : node),
  (node) => (isObject(node) ? raw(`{"__proto__":${JSON.stringify(node)},"constructor":null,"toString":1}`) : node),
  (node, random) => raw(nested(node, random, '{"arrayValue":{"values":[', ']}}')),
  (node, random) => raw(nested(node, random, '{"kvlistValue":{"values":[{"key":"k","value":', '}]}}')),
  (node, random) => raw(nested(node, random, '[', ']')),
  (node, random) => (typeof node === 'string' ? node.repeat(random.pick([2, 100])) : node),
  (node, random) => (typeof node === 'string' ? node.slice(0, random.below(node.length + 1)) : node),
  (node) => (typeof node === 'string' ? node.toUpperCase() : node),
  () => raw(''),
  (node) => raw(`${JSON.stringify(node)},`),
  (node) => raw(`/* comment */ ${JSON.stringify(node)}`),
];

function isObject(node: Json): node is { [name: string]: Json } {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function twice(node: { [name: string]: Json }): string {
  const members = Object.entries(node).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...members, ...members.toReversed()].join(',')}}`;
}

function nested(node: Json, random: Random, open: string, close: string): string {
  const depth = random.pick([10, 31, 32, 33, 64, 500, 5_000]);
  return open.repeat(depth) + JSON.stringify(node) + close.repeat(depth);
}

/** proto3 JSON takes the names of the .proto file as well. */
function renamed(holder: { [name: string]: Json }, name: string, random: Random): void {
  const other = random.pick([
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name.toUpperCase(),
    '',
    `${name} `,
  ]);
  holder[other] = holder[name]!;
}

type Change = (node: Json, holder: { [name: string]: Json }, name: string) => Json;

/** Goes down to a random node and puts what `change` makes of it in its place. */
function descend(root: Json, random: Random, change: Change): Json {
  const top = { root };
  let holder: { [name: string]: Json } = top;
  let name = 'root';
  for (;;) {
    const node = holder[name]!;
    const names = typeof node === 'object' && node !== null ? Object.keys(node) : [];
    if (names.length === 0 || random.chance(0.08)) break;
    holder = node as { [name: string]: Json };
    name = random.pick(names);
  }
  holder[name] = change(holder[name]!, holder, name);
  return top.root;
}
