import { DEFAULT_THRESHOLDS, type FindingThresholds } from '@seamtrace/core';
import { describe } from './describe.js';
import type { ConfigProblem } from './types.js';

/** Thresholds over the defaults. Shares lie between 0 and 1; what counts something is a whole number, as its default is. */
export function resolveThresholds(given: unknown, problems: ConfigProblem[]): FindingThresholds {
  if (given === undefined) return DEFAULT_THRESHOLDS;
  if (typeof given !== 'object' || given === null) {
    problems.push({ where: 'thresholds', message: `must be an object of numbers by name, not ${describe(given)}` });
    return DEFAULT_THRESHOLDS;
  }
  const defaults: Readonly<Record<string, number>> = { ...DEFAULT_THRESHOLDS };
  for (const [name, value] of Object.entries(given)) {
    const where = `thresholds.${name}`;
    const fallback = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    if (fallback === undefined) {
      problems.push({ where, message: `unknown threshold; known are ${Object.keys(defaults).join(', ')}` });
    } else if (value !== undefined && !fits(name, fallback, value)) {
      const kind = name.endsWith('Share')
        ? 'a number from 0 to 1'
        : wholeByDefault(fallback)
          ? 'a whole number'
          : 'a number';
      problems.push({
        where,
        message: `must be ${kind}${name.endsWith('Share') ? '' : ' from 0 up'}, not ${describe(value)}`,
      });
    }
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.freeze({ ...DEFAULT_THRESHOLDS, ...(Object.fromEntries(set) as Partial<FindingThresholds>) });
}

const wholeByDefault = (fallback: number): boolean => Number.isInteger(fallback);

function fits(name: string, fallback: number, value: unknown): boolean {
  if (typeof value !== 'number' || !(value >= 0) || value === Infinity) return false;
  if (name.endsWith('Share')) return value <= 1;
  return !wholeByDefault(fallback) || Number.isSafeInteger(value);
}
