import { expect, it } from 'vitest';
import type { ToolEvidence } from '../evidence/types.js';
import { createToolCalls } from './tools.js';

function call(spanId: string, startUnixNano = '1'): ToolEvidence {
  const span = {
    traceId: 't',
    spanId,
    execution: 1,
    startUnixNano,
    endUnixNano: startUnixNano,
    failed: false,
    errorType: undefined,
  };
  return { runHandoffId: 'h', taskId: undefined, tool: 'look_up', agent: undefined, argumentsDigest: undefined, span };
}

it('orders calls by start whatever order they come in, each once', () => {
  const tools = createToolCalls({ maxPerHandoff: 10, max: 100, dropped: () => {} });
  expect(tools.add('h', call('b', '10'), 0)).toBe('added');
  expect(tools.add('h', call('a', '9'), 0)).toBe('added');
  expect(tools.add('h', call('a', '9'), 0)).toBe('duplicate');
  expect(tools.of('h').map(({ span }) => span.spanId)).toEqual(['a', 'b']);
  expect(tools.of('unknown')).toEqual([]);
});

it('keeps the first calls of a handoff that makes too many, and drops the oldest handoff when all are too many', () => {
  let dropped = 0;
  const tools = createToolCalls({ maxPerHandoff: 2, max: 4, dropped: (count) => (dropped += count) });
  for (const id of ['a', 'b', 'c']) expect(tools.add('flood', call(id), 0)).toBe(id === 'c' ? 'dropped' : 'added');
  tools.add('second', call('d'), 0);
  tools.add('second', call('e'), 0);
  expect(dropped).toBe(1);
  tools.add('third', call('f'), 0);
  expect(dropped).toBe(3);
  expect(tools.of('flood')).toEqual([]);
  expect(tools.of('second')).toHaveLength(2);
  expect(tools.size).toBe(3);
  tools.remove('second');
  expect(tools.size).toBe(1);
});

it('lets calls go exactly when they have waited long enough for a handoff that never came', () => {
  let dropped = 0;
  const tools = createToolCalls({ maxPerHandoff: 2, max: 4, dropped: (count) => (dropped += count) });
  tools.add('never', call('a'), 0);
  tools.add('came', call('b'), 0);
  tools.add('never', call('c'), 50);
  const kept = (handoffId: string) => handoffId === 'came';
  tools.expire(99, 100, kept);
  expect(tools.size).toBe(3);
  tools.expire(100, 100, kept);
  expect(tools.of('never')).toEqual([]);
  expect(tools.of('came')).toHaveLength(1);
  expect(dropped).toBe(2);
  tools.expire(200, 100, () => false);
  expect(tools.size).toBe(0);
});
