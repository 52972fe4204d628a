import { DEFAULT_THRESHOLDS, type FindingThresholds, THRESHOLD_NAMES, thresholdRange } from '@seamtrace/core';
import { type Read, readNumber, readWhole } from './parsers.js';
import { type Setting, setting } from './setting.js';

type ThresholdName = keyof FindingThresholds;
type ThresholdSettings = { readonly [Name in ThresholdName as `threshold_${Name}`]: Setting<number> };

const BRIEFS: Readonly<Record<ThresholdName, string>> = {
  contextDumpShare: '`context_dump`: share of transcript in the bytes of a payload above which it is one',
  contextDumpMinBytes: '`context_dump`: payloads of fewer bytes are never one',
  inlinedContentBytes: '`inlined_content`: bytes above which a payload without a reference is one',
  envelopeGrowthHops: '`envelope_growth`: hops in a row, at each of which the size must have risen',
  envelopeGrowthBytesPerHop: '`envelope_growth`: mean rise in bytes per hop above which it is one',
  loopRounds: '`loop` without stamped state: times in a row that the same routes are walked, from which on it is one',
  budgetToleranceShare: '`budget_underreported`: share of observed tokens or time that a sender may leave out',
};

/** One setting for each number behind a finding, derived from the defaults of core. */
export const THRESHOLD_SETTINGS = Object.fromEntries(
  THRESHOLD_NAMES.map((name) => [`threshold_${name}`, thresholdSetting(name)]),
) as ThresholdSettings;

function thresholdSetting(name: ThresholdName): Setting<number> {
  const { min, max, whole } = thresholdRange(name);
  const written = snakeCase(name);
  const read = (value: unknown): Read<number> => (whole ? readWhole(min, max) : readNumber(min, max))(value);
  return {
    ...setting(`thresholds.${written}`, undefined, read, DEFAULT_THRESHOLDS[name], BRIEFS[name]),
    flag: `--threshold ${written}=NUMBER`,
  };
}

/** The setting that `--threshold NAME=…` means, in the spelling of the configuration file. */
export function thresholdNamed(written: string): `threshold_${ThresholdName}` | undefined {
  const name = THRESHOLD_NAMES.find((candidate) => snakeCase(candidate) === written);
  return name === undefined ? undefined : `threshold_${name}`;
}

export const THRESHOLDS_WRITTEN: readonly string[] = THRESHOLD_NAMES.map(snakeCase);

/** The thresholds among the settings, as core takes them. */
export function thresholdsOf(settings: { readonly [Name in keyof ThresholdSettings]: number }): FindingThresholds {
  const entries = THRESHOLD_NAMES.map((name) => [name, settings[`threshold_${name}`]]);
  return Object.fromEntries(entries) as unknown as FindingThresholds;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
