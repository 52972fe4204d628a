import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import { expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import type { ToolEvidence } from '../evidence/types.js';
import { runOutcomeOf } from './run-outcome.js';

function call(spanId: string, failed: boolean): ToolEvidence {
  const span = {
    traceId: 't',
    spanId,
    execution: 1,
    startUnixNano: '1767225600000000000',
    endUnixNano: '1767225600050000000',
    failed,
    errorType: undefined,
  };
  return { runHandoffId: 'h-1', taskId: undefined, tool: 'look_up', agent: 'b', argumentsDigest: undefined, span };
}

it('does not depend on the order in which calls that ended together were received', () => {
  const result = extractEvidence(decodedSpan(handoffSpan({ role: 'destination', handoffId: 'h-1', destination: 'b' })));
  if (!result.ok || result.evidence?.handoff === undefined) throw new Error('the span says nothing');
  const { handoff } = result.evidence;
  const calls = [call('aa', true), call('bb', false)];
  expect(runOutcomeOf(handoff, calls)).toBe('ok');
  expect(runOutcomeOf(handoff, calls.toReversed())).toBe('ok');
});
