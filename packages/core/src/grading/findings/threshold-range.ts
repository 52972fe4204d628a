import { DEFAULT_THRESHOLDS, type FindingThresholds } from './types.js';

export interface ThresholdRange {
  readonly min: number;
  readonly max: number;
  /** Only whole numbers make sense, since it counts something. */
  readonly whole: boolean;
}

/** Growth and repetition need something to compare with. */
const AT_LEAST_TWO: ReadonlySet<keyof FindingThresholds> = new Set(['envelopeGrowthHops', 'loopRounds']);

export const THRESHOLD_NAMES = Object.keys(DEFAULT_THRESHOLDS) as readonly (keyof FindingThresholds)[];

/** The range in which a threshold makes sense: shares lie between 0 and 1, everything else counts from 0 or 2 up. */
export function thresholdRange(name: keyof FindingThresholds): ThresholdRange {
  if (name.endsWith('Share')) return { min: 0, max: 1, whole: false };
  return { min: AT_LEAST_TWO.has(name) ? 2 : 0, max: Number.MAX_SAFE_INTEGER, whole: true };
}
