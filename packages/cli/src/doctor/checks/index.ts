import type { Check } from '../types.js';
import { captures } from './captures.js';
import { comparability, coverage } from './coverage.js';
import { handoffs } from './handoffs.js';
import { spans } from './spans.js';

/** Every check, in the order in which a person would put things right: first who speaks, then how, then what of. */
export const CHECKS: readonly Check[] = [coverage, spans, captures, handoffs, comparability];
