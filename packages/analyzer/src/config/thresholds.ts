import { DEFAULT_THRESHOLDS, type FindingThresholds, THRESHOLD_NAMES, thresholdRange } from '@seamtrace/core';
import { describe } from './describe.js';
import type { ConfigProblem } from './types.js';

/** The defaults with what is given in their place; `undefined` counts as left out. */
export function resolveThresholds(given: unknown, problems: ConfigProblem[]): FindingThresholds {
  if (given === undefined) return DEFAULT_THRESHOLDS;
  if (typeof given !== 'object' || given === null) {
    problems.push({ where: 'thresholds', message: `must be an object of numbers by name, not ${describe(given)}` });
    return DEFAULT_THRESHOLDS;
  }
  const resolved: Record<string, number> = { ...DEFAULT_THRESHOLDS };
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    const known = THRESHOLD_NAMES.find((candidate) => candidate === name);
    if (value === undefined) continue;
    const message =
      known === undefined ? `unknown threshold; known are ${THRESHOLD_NAMES.join(', ')}` : faultOf(known, value);
    if (message !== undefined) problems.push({ where: `thresholds.${name}`, message });
    else resolved[name] = value as number;
  }
  return Object.freeze(resolved) as unknown as FindingThresholds;
}

function faultOf(name: keyof FindingThresholds, value: unknown): string | undefined {
  const { min, max, whole } = thresholdRange(name);
  const fits = typeof value === 'number' && value >= min && value <= max && (!whole || Number.isInteger(value));
  const kind = whole ? `an integer from ${min} up` : `a number from ${min} to ${max}`;
  return fits ? undefined : `must be ${kind}, not ${describe(value)}`;
}
