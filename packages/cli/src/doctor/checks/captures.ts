import { type Stage, STAGES } from '@seamtrace/semconv';
import type { CaptureReason } from '@seamtrace/core';
import { createTally, type Met } from '../diagnosis.js';
import type { Check } from '../types.js';

/** Stages of which a span says that it did not see them whole, or of which the pipeline left too little to believe it. */
export const captures: Check = ({ services }) => {
  const tally = createTally();
  for (const { name, own } of services) {
    for (const { evidence } of own) {
      const handoff = evidence?.handoff;
      if (handoff === undefined) continue;
      for (const stage of STAGES) {
        // What a consumer restates of source and payload is the producer's to repair.
        const restated = stage !== 'destination' && handoff.sides.producer.speaks === false;
        if (restated) continue;
        const reasons = new Set(handoff.stages[stage].executions.flatMap((execution) => execution.reasons));
        for (const reason of reasons) tally.add(name, handoff.handoffId, diagnose(stage, reason));
      }
    }
  }
  return tally.diagnoses();
};

const PLACES: Readonly<Record<Stage, string>> = {
  source: 'what the source could read',
  payload: 'what was sent',
  destination: 'what the destination could read',
};

function diagnose(stage: Stage, reason: CaptureReason): Met {
  const { what, fix } = BY_REASON[reason];
  return { id: `capture_${reason}`, severity: 'problem', what: `${PLACES[stage]} ${what}`, fix: fix(stage) };
}

const BY_REASON: Readonly<Record<CaptureReason, { readonly what: string; readonly fix: (stage: Stage) => string }>> = {
  redacted: {
    what: 'was masked on its way, so nothing can be concluded',
    fix: (stage) =>
      `let redaction leave seamtrace.${stage}.keys, .key_count, .keys_digest and .complete alone: they hold names of keys, never values`,
  },
  truncated: {
    what: 'arrives shortened, or without the count and digest that prove it whole',
    fix: (stage) =>
      `raise OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT and OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT, let no processor trim seamtrace.*; spans stamped by hand need seamtrace.${stage}.complete, .keys, .key_count and .keys_digest together`,
  },
  sampled: {
    what: 'was sampled out',
    fix: () =>
      'sample whole traces, or wrap the sampler in SeamtraceSampler, which keeps spans with evidence of handoffs',
  },
  unsupported: {
    what: 'is carried by something that cannot be seen whole, such as prose, a Proxy or an accessor',
    fix: () =>
      'hand over a plain object beside the text (shared state, tool arguments, structured output); the guide of the framework lists what carries keys',
  },
  error: {
    what: 'was never seen: the run failed before',
    fix: () => 'look at the errors of the runs named here; nothing is wrong with the capture itself',
  },
  capture_incomplete: {
    what: 'is stated as incomplete without a reason',
    fix: (stage) => `stamp seamtrace.${stage}.incomplete_reason where complete is false`,
  },
};
