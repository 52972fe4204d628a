import { STAGE_KEYS, type Stage } from '@seamtrace/semconv';
import type { Attributes, AttributeValue, Span } from '@opentelemetry/api';
import type { IncompleteReason } from '@seamtrace/semconv';
import type { StageCapture } from '../capture/stage-capture.js';
import { count } from '../runtime/report.js';
import { stageAttributes } from './evidence.js';

/**
 * The attributes of a span where it shows them, as those of the OpenTelemetry SDK do. The API alone promises no reading,
 * so for a foreign span this is `undefined` and nothing can be said about what stands on it.
 */
export function attributesOf(span: Span): Readonly<Attributes> | undefined {
  const { attributes } = span as { readonly attributes?: unknown };
  return typeof attributes === 'object' && attributes !== null ? (attributes as Attributes) : undefined;
}

/** Sets what is not set yet: what the application wrote itself stays. Returns whether all of it is on the span now. */
export function writeAbsent(span: Span, attributes: Attributes): boolean {
  const before = attributesOf(span);
  let whole = true;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || before?.[key] !== undefined) continue;
    whole = set(span, key, value) && whole;
  }
  return whole;
}

/**
 * Writes the evidence of one stage, whole or not at all: a stage of which the application set any attribute is left to
 * it. Where the SDK's limits cut something, the stage says itself that it is incomplete.
 */
export function writeStage(span: Span, stage: Stage, capture: StageCapture): void {
  const names = STAGE_KEYS[stage];
  const before = attributesOf(span);
  if (before !== undefined && Object.values(names).some((name) => before[name] !== undefined)) return;
  const { [names.complete]: complete, ...rest } = stageAttributes(stage, capture);
  let whole = true;
  for (const [key, value] of Object.entries(rest)) if (value !== undefined) whole = set(span, key, value) && whole;
  if (whole || complete !== true) {
    if (complete !== undefined) set(span, names.complete, complete);
    return;
  }
  const truncated: IncompleteReason = 'truncated';
  set(span, names.complete, false);
  set(span, names.incompleteReason, truncated);
}

/** Sets one attribute and returns whether it arrived unshortened, as far as the span shows. */
function set(span: Span, key: string, value: AttributeValue): boolean {
  span.setAttribute(key, value);
  const after = attributesOf(span);
  if (after === undefined || same(after[key], value)) return true;
  count('span_limit', `a span limit of the OpenTelemetry SDK cut ${key}; its evidence is stated as incomplete`);
  return false;
}

function same(written: AttributeValue | undefined, value: AttributeValue): boolean {
  if (!Array.isArray(written) || !Array.isArray(value)) return written === value;
  return written.length === value.length && written.every((item, index) => item === value[index]);
}
