import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Random, createRandom } from '../random.js';
import { mutateBytes } from './bytes.js';
import { type Input, realRequest } from './corpus.js';
import { mutateJson } from './json.js';
import { mutateProtobuf } from './protobuf.js';

/** Real requests to start from; made once for a seed, since mutating them is far cheaper than making them. */
const CORPUS_SIZE = 400;
const corpora = new Map<number, readonly Input[]>();

function corpusOf(seed: number): readonly Input[] {
  const made =
    corpora.get(seed) ?? Array.from({ length: CORPUS_SIZE }, (_, index) => realRequest(createRandom(seed + index)));
  corpora.set(seed, made);
  return made;
}

/** Input `index` of the run with this seed: a real request with one to three mutations, or, now and then, with none. */
export function inputOf(seed: number, index: number): Input {
  const random = createRandom((Math.imul(index, 0x9e3779b1) ^ seed) >>> 0);
  const corpus = corpusOf(seed);
  const { encoding, body } = random.pick(corpus);
  let mutated = body;
  const rounds = random.pick([0, 1, 1, 1, 2, 3]);
  for (let round = 0; round < rounds; round += 1) {
    // Only the first round knows that it is JSON; what it leaves need not be.
    const structured = random.chance(0.6) && (encoding === 'protobuf' || round === 0);
    mutated = structured
      ? structure(encoding, mutated, random)
      : mutateBytes(mutated, random.pick(corpus).body, random);
  }
  return { encoding, body: mutated };
}

function structure(encoding: Input['encoding'], body: Buffer, random: Random): Buffer {
  return encoding === 'json' ? mutateJson(body, random) : mutateProtobuf(body, random);
}

/** Puts an input where a person finds it, and says where that is. */
export function saved({ encoding, body }: Input, seed: number, index: number): string {
  const folder = path.join(tmpdir(), 'seamtrace-fuzz');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${seed}-${index}.${encoding === 'json' ? 'json' : 'pb'}`);
  writeFileSync(file, body);
  return file;
}
