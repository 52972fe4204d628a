import { isDeepStrictEqual } from 'node:util';
import {
  createReassembler,
  decodeTracesJson,
  decodeTracesProtobuf,
  extractEvidence,
  gradeRecord,
  mergeRecords,
  packEvidence,
  unpackEvidence,
  verdictId,
} from '@seamtrace/core';
import type { Input } from './corpus.js';
import { inputOf, saved } from './input.js';

export interface FuzzCounts {
  inputs: number;
  /** Inputs that were refused as a whole. */
  refused: number;
  spans: number;
  rejected: number;
  badIds: number;
  evidence: number;
  verdicts: number;
  slowestMs: number;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly inputs: number;
  readonly say?: ((what: string) => void) | undefined;
}

/** No input of a few kilobytes is worth this; it stands for a loop whose work is not bounded by its input. */
const FAR_TOO_LONG_MS = 5_000;
const LIMITS = { settleMs: 50, retentionMs: 1_000, maxRecords: 300, maxAttempts: 64 };
const INPUTS_A_LIFE = 3_000;

const newReassembler = () =>
  createReassembler({
    ...LIMITS,
    grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
    deadlineMs: () => 200,
  });

/**
 * Puts mutated requests through decoding, evidence, packing, reassembly and grading. Throws, with the file of the input,
 * when one of them throws, contradicts itself or takes far too long.
 */
export function fuzzInProcess({ seed, inputs, say = () => undefined }: FuzzOptions): FuzzCounts {
  const counts = { inputs: 0, refused: 0, spans: 0, rejected: 0, badIds: 0, evidence: 0, verdicts: 0, slowestMs: 0 };
  let reassembler = newReassembler();
  for (let index = 0; index < inputs; index += 1) {
    // A handoff that was let go does not come back: only a new reassembler grades these ids again.
    if (index % INPUTS_A_LIFE === 0) reassembler = newReassembler();
    const input = inputOf(seed, index);
    const started = performance.now();
    try {
      through(input, index);
      const tookMs = performance.now() - started;
      counts.slowestMs = Math.max(counts.slowestMs, tookMs);
      if (tookMs > FAR_TOO_LONG_MS) throw new Error(`took ${tookMs.toFixed(0)} ms`);
    } catch (error) {
      const file = saved(input, seed, index);
      throw new Error(
        `input ${index} of seed ${seed} (${input.encoding}, saved as ${file}): ${(error as Error).message}`,
        { cause: error },
      );
    }
    counts.inputs += 1;
    if (index % 50_000 === 49_999) say(`fuzz in process: ${JSON.stringify(counts)}`);
  }
  return counts;

  function through({ encoding, body }: Input, now: number): void {
    const result = encoding === 'json' ? decodeTracesJson(body.toString('utf8')) : decodeTracesProtobuf(body);
    if (!result.ok) {
      if (result.message === '') throw new Error('refused without a reason');
      counts.refused += 1;
      return;
    }
    const { spans, received, ignored, rejections } = result;
    if (spans.length + ignored + rejections.length !== received) throw new Error('spans do not add up');
    if (rejections.some(({ reason, index }) => reason === '' || index < 0 || index >= received)) {
      throw new Error('a rejection says no reason or no place');
    }
    counts.spans += received;
    counts.rejected += rejections.length;
    for (const span of spans) {
      const extracted = extractEvidence(span);
      if (!extracted.ok) counts.badIds += 1;
      if (!extracted.ok || extracted.evidence === undefined) continue;
      const { evidence } = extracted;
      counts.evidence += 1;
      const packed = packEvidence(evidence);
      const unpacked = unpackEvidence(packed);
      if (!isDeepStrictEqual(unpacked, evidence)) throw new Error('evidence is not what was packed');
      if (Buffer.compare(packEvidence(unpacked), packed) !== 0) throw new Error('packing has two forms');
      const { handoff } = evidence;
      if (handoff !== undefined && !isDeepStrictEqual(mergeRecords(handoff, handoff), handoff)) {
        throw new Error('merging with itself changes a record');
      }
      reassembler.offer(unpacked, now);
    }
    // Ids repeat in the corpus, so that damaged and sound evidence meet in one record.
    for (const { graded } of reassembler.popDue(now)) {
      verdictId(graded, undefined);
      JSON.stringify(graded);
      counts.verdicts += 1;
    }
    const { pending, retained } = reassembler.sizes();
    if (pending + retained > LIMITS.maxRecords) throw new Error(`${pending + retained} records are kept`);
  }
}
