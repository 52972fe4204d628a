import { decodeTracesJson, decodeTracesProtobuf, extractEvidence, packOutline } from '@seamtrace/core';
import { otlpTypes } from '@seamtrace/testkit';
import { measure } from './rounds.mjs';
import { mixedWorkload, silentWorkload } from './workload.mjs';

export const name = 'decode';

/**
 * Our decoder against a full one on the same bytes. The full decoder is protobufjs's generated code (reflection types
 * compile to the same functions as static ones), which builds every attribute and event of every span.
 */
export async function run() {
  const mixed = mixedWorkload();
  const silent = silentWorkload();
  check(mixed);
  const full = (bytes) => otlpTypes.traceRequest.decode(bytes).resourceSpans.length;
  const unit = 'spans';
  const rows = [
    ...(await measure(
      [
        { name: 'mixed spans, protobufjs full decode', work: () => full(mixed.bytes) * mixed.spans },
        { name: 'mixed spans, decodeTracesProtobuf', work: () => decodeTracesProtobuf(mixed.bytes).received },
        { name: 'mixed spans, decode and evidence', work: () => evidenceOf(mixed.bytes) },
      ],
      { unit },
    )),
    ...(await measure(
      [
        { name: 'silent spans, protobufjs full decode', work: () => full(silent.bytes) * silent.spans },
        { name: 'silent spans, decodeTracesProtobuf', work: () => decodeTracesProtobuf(silent.bytes).received },
      ],
      { unit },
    )),
    ...(await measure(
      [
        {
          name: 'mixed spans in JSON, JSON.parse alone',
          work: () => JSON.parse(mixed.json).resourceSpans.length * mixed.spans,
        },
        { name: 'mixed spans in JSON, decodeTracesJson', work: () => decodeTracesJson(mixed.json).received },
      ],
      { unit },
    )),
  ];
  const { ratio, lowest, highest } = rows[2];
  const target = {
    what: 'decode and evidence, half GenAI, 4% with our evidence',
    target: '≥ 4 × full protobufjs decode of the same bytes',
    measured: `${ratio.toFixed(2)} × (${lowest.toFixed(2)} to ${highest.toFixed(2)})`,
    met: ratio >= 4,
  };
  return { rows, targets: [target] };
}

/** What the analyzer makes of a request: what our spans say, and where all others stand in their traces. */
function evidenceOf(bytes) {
  const { spans, outline, received } = decodeTracesProtobuf(bytes);
  for (const span of spans) extractEvidence(span);
  if (outline !== undefined) packOutline(outline, NOTHING_KNOWN);
  return received;
}

const NOTHING_KNOWN = { knows: () => false };

// A decoder that reads nothing is fast: the bench refuses to run on a workload that is not what it says.
function check({ bytes, spans }) {
  const result = decodeTracesProtobuf(bytes);
  const ours = result.spans?.length;
  const nodes = result.outline?.nodes;
  const said = `${result.received} spans, ${ours} of ours, ${nodes} of GenAI, ${bytes.length / spans} bytes each`;
  const fits =
    result.ok &&
    result.received === spans &&
    ours / spans > 0.03 &&
    (ours + nodes) / spans > 0.5 &&
    result.rejections.length === 0 &&
    result.spans.every((span) => extractEvidence(span).evidence?.handoff !== undefined);
  if (!fits) throw new Error(`the workload is not as described: ${said}`);
}
