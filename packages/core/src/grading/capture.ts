import { MASKED_NAME, presence } from '@seamtrace/contracts';
import type { Reason } from '@seamtrace/semconv';
import type { CaptureReason, CompleteCapture, StageExecution, StageRecord } from '../evidence/types.js';

/** What is known of one stage: the capture to grade on, or why there is none. */
export type StageView =
  | { readonly known: true; readonly capture: CompleteCapture; readonly execution: StageExecution }
  | { readonly known: false; readonly reason: Reason };

const REASON_ORDER: readonly CaptureReason[] = [
  'redacted',
  'truncated',
  'sampled',
  'unsupported',
  'error',
  'capture_incomplete',
];

/**
 * The evidence of a stage: its lowest execution with a complete capture. Two different complete captures of that
 * execution, or a name seen in it that the capture lacks, contradict it (wire contract, section 4).
 */
export function viewStage(stage: StageRecord, silence: () => Reason): StageView {
  if (stage.executions.length === 0) return { known: false, reason: silence() };
  if (stage.moreExecutions) return { known: false, reason: 'contradiction' };
  const execution = stage.executions.find((candidate) => candidate.complete.length > 0);
  const capture = execution?.complete[0];
  if (execution === undefined || capture === undefined) return { known: false, reason: firstReason(stage) };
  return contradicted(execution, capture)
    ? { known: false, reason: 'contradiction' }
    : { known: true, capture, execution };
}

/** Required paths by what a complete capture says about them. */
export interface Check {
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
}

/** Looks for every required path in a capture. */
export function checkKeys(capture: CompleteCapture, required: readonly string[]): Check {
  if (isShort(capture.keys) && required.every((path) => capture.keys.includes(path))) return ALL_PRESENT;
  const keys = new Set(capture.keys);
  const searched = new Set(capture.searched);
  const missing: string[] = [];
  const unknown: string[] = [];
  for (const path of required) {
    const found = presence(path, keys, searched);
    if (found === 'present') continue;
    // Names that the capturing side's contract did not list may stand in the set as masks.
    if (found === 'unknown' || (keys.has(MASKED_NAME) && !searched.has(path))) unknown.push(path);
    else missing.push(path);
  }
  return { missing, unknown };
}

const ALL_PRESENT: Check = { missing: [], unknown: [] };

/** Comparing with every member is quicker than making a set of them. */
function isShort(list: readonly string[]): boolean {
  return list.length <= 16;
}

/** Every name that any span of the stage listed: presence that even an incomplete capture proves. */
export function namesSeen(stage: StageRecord): ReadonlySet<string> {
  return new Set(stage.executions.flatMap((execution) => execution.names));
}

function contradicted(execution: StageExecution, capture: CompleteCapture): boolean {
  if (execution.complete.length > 1 || execution.moreComplete || execution.moreNames) return true;
  const { names } = execution;
  // Mostly the capture's own keys, and nothing beside.
  if (names.length === capture.keys.length && names.every((name, at) => name === capture.keys[at])) return false;
  const keys = new Set(capture.keys);
  return names.some((name) => !keys.has(name));
}

function firstReason(stage: StageRecord): Reason {
  const reasons = new Set(stage.executions.flatMap((execution) => execution.reasons));
  return REASON_ORDER.find((reason) => reasons.has(reason)) ?? 'capture_incomplete';
}
