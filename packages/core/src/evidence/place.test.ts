import { decodedSpan, handoffSpan, type HandoffSpanModel, type SpanModel } from '@seamtrace/testkit';
import { describe, expect, test } from 'vitest';
import { extractEvidence } from './extract.js';
import type { Evidence } from './types.js';

function evidenceOf(span: SpanModel): Evidence | undefined {
  const result = extractEvidence(decodedSpan(span));
  return result.ok ? result.evidence : undefined;
}

const ids = { traceId: '0a'.repeat(16), spanId: '0b'.repeat(8), parentSpanId: '0c'.repeat(8) };
const times = { name: 'span', startUnixNano: 1n, endUnixNano: 2n };
const span = (attributes: Record<string, string | bigint | readonly string[]>): SpanModel => ({
  ...ids,
  ...times,
  attributes,
});
const handoff = (model: Partial<HandoffSpanModel>): SpanModel =>
  handoffSpan({ role: 'destination', handoffId: 'handoff-1', ...model });

describe('the place of a span of ours', () => {
  test.each([
    ['dispatch', handoff({ role: 'dispatch' }), { op: 'dispatch', handoffId: 'handoff-1', attempt: 1 }],
    ['ingest', handoff({ role: 'ingest', attempt: 2 }), { op: 'ingest', handoffId: 'handoff-1', attempt: 2 }],
    ['destination', handoff({ destination: 'billing' }), { op: 'run', handoffId: 'handoff-1', agent: 'billing' }],
    [
      'ingest of what comes back, which started nothing',
      handoff({ role: 'ingest', attributes: { 'seamtrace.handoff.leg': 'return' } }),
      { op: 'other', handoffId: 'handoff-1' },
    ],
    [
      'run that says it dispatches, which is not what started it',
      handoff({ role: 'dispatch', attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
      { op: 'run', handoffId: undefined, attempt: undefined },
    ],
    [
      'first agent',
      span({ 'gen_ai.operation.name': 'invoke_agent', 'seamtrace.task.id': 'task-1' }),
      { op: 'run', handoffId: undefined, taskId: 'task-1', parentSpanId: ids.parentSpanId },
    ],
    [
      'tool call',
      span({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'refund',
        'seamtrace.run.handoff.id': 'handoff-1',
        'seamtrace.tool.arguments.digest': 'digest',
      }),
      { op: 'tool', tool: 'refund', ownerHandoffId: 'handoff-1', argumentsDigest: 'digest', handoffId: undefined },
    ],
    ['model call', span({ 'gen_ai.operation.name': 'chat', 'seamtrace.task.id': 'task-1' }), { op: 'model' }],
    ['any other span', span({ 'seamtrace.task.id': 'task-1' }), { op: 'other', taskId: 'task-1' }],
  ])('%s', (_what, model, expected) => {
    expect(evidenceOf(model)?.node).toMatchObject(expected);
  });

  test('a span with nothing of ours is told of by the outline alone', () => {
    expect(
      evidenceOf(span({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'billing' })),
    ).toBeUndefined();
  });
});

describe('the end of a run', () => {
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'triage',
    'seamtrace.task.id': 'task-1',
    'seamtrace.handoff.dispatched_ids': ['handoff-1', 'handoff-2'],
    'gen_ai.usage.input_tokens': 120n,
    'gen_ai.usage.output_tokens': -1n,
  };

  test('tells what it handed over and used; a count that cannot be is not stated', () => {
    expect(evidenceOf({ ...span(attributes), parentSpanId: '' })?.run).toMatchObject({
      taskId: 'task-1',
      handoffId: undefined,
      agent: 'triage',
      dispatchedIds: ['handoff-1', 'handoff-2'],
      root: true,
      inputTokens: 120,
      outputTokens: undefined,
    });
  });

  test('under another span is no root, and with a handoff names it', () => {
    expect(evidenceOf(span({ ...attributes, 'seamtrace.handoff.id': 'handoff-9' }))?.run).toMatchObject({
      handoffId: 'handoff-9',
      root: false,
    });
  });

  test('is not told by a tool call, nor by a run without a task', () => {
    expect(evidenceOf(span({ ...attributes, 'gen_ai.operation.name': 'execute_tool' }))?.run).toBeUndefined();
    expect(evidenceOf(handoff({}))?.run).toBeUndefined();
  });
});
